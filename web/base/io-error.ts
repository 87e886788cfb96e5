import { XylemError } from './errors';

/** Meaning of the operating system's error codes. */
const CAUSES: Record<string, string> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota is used up',
  EEXIST: 'it exists already',
  EFBIG: 'it would be larger than is allowed',
  EIO: 'the device reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'links lead to each other',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENODEV: 'there is no such device',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left on the device',
  ENOTDIR: 'a part of the path is no folder',
  ENXIO: 'there is no such device',
  EPERM: 'that is not permitted',
  EPIPE: 'nobody reads it any more',
  EROFS: 'it can only be read',
  ESPIPE: 'it takes bytes in their order only',
  ETXTBSY: 'it is being run',
};

/** Returns the code of the operating system's error; '' if it has none. */
export function systemCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

/** Returns the reason why an operation on a file failed, with the code of the system; '' if it is unknown. */
export function ioCause(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  // In browsers the name of the error is the reason.
  if (thrown.name === 'QuotaExceededError') return 'no space is left for it in the browser';
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  if (code === undefined) return thrown.message;
  const words = Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined;
  return words === undefined ? thrown.message : `${words} (${code})`;
}

/**
 * Returns an IO error. `failed` names the operation ("x.csv cannot be written"), `cause` the reason. An XylemError is
 * returned unchanged.
 */
export function ioError(failed: string, cause: unknown, path?: string): XylemError {
  if (cause instanceof XylemError) return cause;
  const why = ioCause(cause);
  const where = path === undefined ? undefined : { path };
  return new XylemError({ code: 'IO', message: `${failed}${why === '' ? '' : `: ${why}`}.`, where, cause });
}
