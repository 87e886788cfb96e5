/** Maximum number of calls that a message has. */
const MAX_CALLS = 8;
/** A line of a stack of V8: the function if it has a name, the address, line and column. */
const CALL = /^\s*at (?:async )?(?:(.+) \()?((?:file|https?|blob):[^\s()]+|\/[^()]+):(\d+):(\d+)\)?$/;

/**
 * Returns the calls in the code of a selector that led to an error, the last one first: "mass (cuts.mjs:4:11)". Files are named from the
 * folder of the module, so that a copy of the selector gives the same text. Empty if the error has no stack as V8 writes it.
 */
export function callsOf(module: string, thrown: unknown): string[] {
  const own = ownAddress();
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const calls: { file: string; text: string }[] = [];
  for (const line of stack.split('\n')) {
    const [, name, address, row, column] = CALL.exec(line) ?? [];
    if (address === undefined) continue;
    // Node names files of TypeScript by their path.
    const file = address.startsWith('/') ? new URL(`file://${address}`).href : address;
    if (file.startsWith(own)) continue;
    const place = `${relativeTo(module, file)}:${row}:${column}`;
    const [plain] = name?.replace(/^Object\./, '').split(' [as ') ?? [];
    calls.push({ file, text: plain === undefined ? place : `${plain} (${place})` });
  }
  // Calls that led into the module are not its code.
  const end = calls.findLastIndex(({ file }) => file === module);
  return calls
    .slice(0, end + 1)
    .map(({ text }) => text)
    .slice(0, MAX_CALLS);
}

const [SOURCES, CHUNKS] = ['/web/', 'chunks/'];

/** Returns how the addresses of the code of xylem begin, built or as sources. It may be in a script without an address of its own. */
function ownAddress(): string {
  const lines = new Error('here').stack?.split('\n') ?? [];
  const [address = 'node:'] = lines.flatMap((line) => CALL.exec(line)?.[2] ?? []);
  const file = address.startsWith('/') ? new URL(`file://${address}`).href : address;
  if (file.startsWith('blob:')) return file;
  const sources = file.indexOf(SOURCES);
  if (sources >= 0) return file.slice(0, sources + SOURCES.length);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return folder.endsWith(`/${CHUNKS}`) ? folder.slice(0, -CHUNKS.length) : folder;
}

/** Returns the path of a file from the folder of the module; of one elsewhere its name. */
function relativeTo(module: string, file: string): string {
  const folders = module.split('/').slice(0, -1);
  const parts = file.split('/');
  const same = folders.findIndex((one, i) => one !== parts[i]);
  const common = same < 0 ? folders.length : same;
  // Another disk or server.
  if (common < 3) return parts.at(-1) ?? file;
  return decoded([...folders.slice(common).map(() => '..'), ...parts.slice(common)].join('/'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
