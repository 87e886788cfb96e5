import { settle } from '../base/abort';
import { isOtherContent } from '../base/codes';
import { toXylemError, type XylemError } from '../base/errors';

/** Errors that a changed file does not explain, or after which verifying again is useless. */
const OTHER_CAUSES = new Set([
  'ABORTED',
  'ARGUMENT',
  'NETWORK',
  'TIMEOUT',
  'HTTP_STATUS',
  'FILE_CHANGED',
  'NOT_REPLICA',
]);

/** Returns FILE_CHANGED when the error was caused by a changed file; else the error itself. */
export async function causeOf(
  error: XylemError,
  file: { verifyUnchanged(signal?: AbortSignal): Promise<void> },
  signal: AbortSignal | undefined,
): Promise<XylemError> {
  if (OTHER_CAUSES.has(error.code)) return error;
  const check = await settle(file.verifyUnchanged(signal));
  if (check.ok) return error;
  const cause = toXylemError(check.error);
  return isOtherContent(cause.code) || cause.code === 'ABORTED' ? cause : error;
}

/** Converts all errors of the engine to XylemError. */
export async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw toXylemError(thrown);
  }
}
