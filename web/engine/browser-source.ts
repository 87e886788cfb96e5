import type { WholeSource } from '../api/api';
import { unsupported } from '../base/data-errors';
import { argumentError } from '../base/errors';
import * as features from '../features/sources';
import type { SourcePart } from '../features/work-part';
import { createBlobSource } from '../io/blob-source';
import { createBufferSource } from '../io/buffer-source';
import type { Send } from '../io/http/http-client';
import { createHttpSource } from '../io/http/http-source';
import { protocolOf } from '../io/schemes';
import type { ByteSource } from '../io/source';

/**
 * Makes the source of a caller's specification, without a file system; `send` makes its HTTP requests, as fetch when it
 * is missing, and `gatewayKey` is the key of the gateway that serves the page. Throws ARGUMENT.
 */
export async function openBrowserSource(
  spec: WholeSource,
  send?: Send,
  gatewayKey?: string | undefined,
): Promise<ByteSource> {
  switch (spec.kind) {
    case 'url': {
      const protocol = protocolOf(spec.url);
      const other = Object.values<SourcePart>(features).find((part) => part.protocol === protocol);
      if (other) return (await other.open())(spec.url, ownOrigin(), gatewayKey);
      if (protocol === 'xrootd') throw unsupported('This build of xylem does not read root:// addresses.');
      return createHttpSource(spec.url, { ...spec, ...(send && { send }) });
    }
    case 'blob':
      return createBlobSource(spec.blob, spec.name);
    case 'buffer':
      return createBufferSource(spec.buffer, spec.name);
    case 'source':
      return spec.source;
    case 'replicas':
      throw argumentError('Only a ROOT file may have replicas.', 'Name one of them.');
    case 'path':
      throw argumentError(
        'A page cannot open a file by its path.',
        'Choose the file with the button, or drop it onto the page.',
      );
  }
}

/** Returns the origin of this page; undefined if it has none, as in a frame with an opaque origin. */
function ownOrigin(): string | undefined {
  return typeof location === 'object' && location.origin.startsWith('http') ? location.origin : undefined;
}
