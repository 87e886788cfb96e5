import type { WholeSource } from '../api/api';
import { XylemError } from '../base/errors';
import { createBlobSource } from '../io/blob-source';
import { createBufferSource } from '../io/buffer-source';
import { createHttpSource } from '../io/http/http-source';
import type { ByteSource } from '../io/source';
import { isXrootdUrl, parseXrootdUrl, shownAddress } from '../io/xrootd/address';

/** Makes the source of a caller's specification, without a file system. Throws ARGUMENT. */
export async function openBrowserSource(spec: WholeSource): Promise<ByteSource> {
  switch (spec.kind) {
    case 'url':
      if (isXrootdUrl(spec.url)) throw noXrootd(spec.url);
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

/** Browsers connect by HTTP only. */
function noXrootd(text: string): XylemError {
  const url = shownAddress(parseXrootdUrl(text));
  return new XylemError({
    code: 'UNSUPPORTED',
    message: `${url}: a page cannot use the XRootD protocol.`,
    where: { url },
    fix: 'Use the https address of the same file, if its server has one, or the command line: "xylem ls" and the others take root:// addresses.',
  });
}
