import { argumentError, type ErrorCode, type XylemError } from '../../../base/errors';
import { sha256 } from '../../../measure/address';
import { type Json, listOf, rangeOf, recordOf } from '../../../measure/json';
import {
  type AnyPartial,
  commandsText,
  type FailedInput,
  type KindName,
  kindOf,
  loadKind,
  type ReadInput,
  sorted,
} from './partial';

/** The format of the text; a program refuses versions that it does not know. */
const FORMAT = 'xylem-partial';
const VERSION = 1;

/**
 * Returns a result as one line of JSON: the same text for the same result. Inputs may be added to the result while
 * this call waits; the text then has either a whole input or nothing of it.
 */
export async function partialText(partial: AnyPartial): Promise<string> {
  // The result is read only after this, without further waiting.
  const hash = await sha256(JSON.stringify(partial.query));
  const { kind, query, inputs, failed, sum } = sorted(partial);
  const { title, member, json } = kindOf(kind);
  const head = { format: FORMAT, version: VERSION, kind, title: title(query), query, queryHash: hash };
  return JSON.stringify({ ...head, inputs, failed, [member]: json(query, sum) });
}

/** Parses the text of a result. Throws ARGUMENT if it is not a partial result, or was changed. `name` is its file. */
export async function parsePartial(text: string, name: string): Promise<AnyPartial> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw notPartial(name, 'it is not JSON');
  }
  const wrong = (what: string): never => {
    throw notPartial(name, what);
  };
  const top = recordOf(parsed) ?? wrong('it is not an object');
  if (top.format !== FORMAT) wrong(`"format" is not "${FORMAT}"`);
  if (top.version !== VERSION) wrong(`its version is not ${VERSION}`);
  // Results of the first versions were histograms only.
  const kind = top.kind ?? 'draw';
  if (!(await loadKind(kind))) return wrong('its kind is not known');
  const { member, queryFrom, sumFrom } = kindOf(kind as KindName);
  const query = queryFrom(recordOf(top.query) ?? {}) ?? wrong('its query cannot be read');
  if (top.queryHash !== (await sha256(JSON.stringify(query)))) wrong('its query does not have its hash');
  const sum = sumFrom(query, recordOf(top[member]) ?? wrong(`it has no ${member}`), wrong);
  const inputs = listOf(top.inputs, readFrom) ?? wrong('its inputs cannot be read');
  const failed = listOf(top.failed, failedFrom) ?? wrong('its failed inputs cannot be read');
  return { kind, query, inputs, failed, sum } as AnyPartial;
}

function notPartial(name: string, why: string): XylemError {
  return argumentError(
    `${name} is not a partial result of this version of xylem: ${why}.`,
    `Partial results are written by --partial of ${commandsText('conjunction')}.`,
    { url: name },
  );
}

function inputFrom({ file, tree, entries }: Json): Pick<ReadInput, 'file' | 'tree' | 'entries'> | undefined {
  if (typeof file !== 'string' || typeof tree !== 'string') return undefined;
  if (entries === undefined) return { file, tree };
  const range = rangeOf(entries);
  return range && { file, tree, entries: range };
}

function readFrom(json: Json): ReadInput | undefined {
  const input = inputFrom(json);
  const read = rangeOf(json.read);
  const { size, uuid, modified, validator } = json;
  const good = typeof size === 'number' && typeof uuid === 'string' && typeof modified === 'string';
  return input && read && good
    ? { ...input, read, size, uuid, ...(typeof validator === 'string' && { validator }), modified }
    : undefined;
}

function failedFrom(json: Json): FailedInput | undefined {
  const input = inputFrom(json);
  const { code, message, fix } = recordOf(json.error) ?? {};
  if (!input || typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { ...input, error: { code: code as ErrorCode, message, ...(typeof fix === 'string' && { fix }) } };
}
