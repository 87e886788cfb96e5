import { overBudget } from '../../base/data-errors';
import { XylemError } from '../../base/errors';
import { formatBytes } from '../../base/format';
import { readBody } from '../../io/http/http-body';

/** A kind of text files. */
interface TextKind {
  /** Its name in messages. */
  what: string;
  /** Maximum length in bytes. */
  most: number;
  /** Advice for a file that is longer. */
  fix: string;
}

/** Returns the text at an address. Throws NETWORK, HTTP_STATUS and BUDGET. */
export async function fetchText(
  url: string,
  { what, most, fix }: TextKind,
  signal?: AbortSignal,
): Promise<string> {
  const name = url.split(/[?#]/, 1)[0] ?? '';
  const where = { url: name };
  let answer: Response;
  try {
    answer = await fetch(url, { ...(signal && { signal }) });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new XylemError({
      code: 'NETWORK',
      message: `The ${what} ${name} cannot be fetched.`,
      where,
      fix: 'The server has to be reachable, and to allow other origins to read (Access-Control-Allow-Origin).',
      cause,
    });
  }
  if (!answer.ok) {
    throw new XylemError({
      code: 'HTTP_STATUS',
      message: `The server answered ${answer.status} for the ${what} ${name}.`,
      where,
    });
  }
  const { bytes, how, cause } = await readBody(answer, most, 'whole', () => {});
  signal?.throwIfAborted();
  if (how === 'end') return new TextDecoder().decode(bytes);
  if (how === 'broken')
    throw new XylemError({ code: 'NETWORK', message: `The ${what} ${name} broke off.`, where, cause });
  throw overBudget(`The ${what} ${name} is longer than ${formatBytes(most)}.`, fix, where);
}
