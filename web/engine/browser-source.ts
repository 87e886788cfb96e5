import { XylemError } from '../base/errors';
import { createBlobSource } from '../io/blob-source';
import { createBufferSource } from '../io/buffer-source';
import { createHttpSource } from '../io/http-source';
import type { ByteSource } from '../io/source';
import type { WholeSource } from './api';

/** The source of what a caller names, where there is no file system. Throws ARGUMENT. */
export async function openPageSource(spec: WholeSource): Promise<ByteSource> {
  switch (spec.kind) {
    case 'url':
      return createHttpSource(spec.url, spec);
    case 'blob':
      return createBlobSource(spec.blob, spec.name);
    case 'buffer':
      return createBufferSource(spec.buffer, spec.name);
    case 'source':
      return spec.source;
    case 'path':
      throw new XylemError({
        code: 'ARGUMENT',
        message: 'A page cannot open a file by its path.',
        fix: 'Choose the file with the button, or drop it onto the page.',
      });
  }
}
