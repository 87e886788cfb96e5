import { XylemError } from '../base/errors';

/** Loads a part of the element; `what` begins the message when that fails. Throws NETWORK. */
export async function loadPart<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new XylemError({
      code: 'NETWORK',
      message: `${what} could not be loaded.`,
      fix: 'The whole folder xylem-viewer has to lie beside xylem-viewer.js, with the same Access-Control-Allow-Origin.',
      cause,
    });
  }
}
