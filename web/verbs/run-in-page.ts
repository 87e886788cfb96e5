import type { CallOptions, FileInfo } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import { unsupported } from '../base/data-errors';
import { argumentError } from '../base/errors';
import type { VerbAnswer } from '../insight/api';
import { plainUse } from '../reads/use';
import { pageVerbs } from './page';
import { severalFiles } from './trees';
import type { VerbFile } from './verb';

const noOthers = () => Promise.reject(unsupported('In the page, a report is on its open file alone.'));

/** Runs a verb of the page on its open file, and gathers its notes. Throws UNSUPPORTED for a name that the page does not have. */
export async function runInPage(
  reader: EngineApi,
  info: FileInfo,
  name: string,
  params: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<VerbAnswer> {
  const listed = Object.hasOwn(pageVerbs, name) ? pageVerbs[name] : undefined;
  if (listed === undefined) throw unsupported(`The page has no report "${name}".`);
  const isChain = info.files !== undefined && info.files.length > 1;
  const file: VerbFile = {
    reader,
    info,
    keys: () => reader.keys(info.id, options),
    tree: async (path) => ({ info: await reader.tree(info.id, path, options) }),
    object: (path) =>
      isChain ? Promise.reject(severalFiles(info.name)) : reader.object(info.id, path, options),
    isChain,
    path: info.name,
  };
  const verb = await listed.load();
  const notes: string[] = [];
  const result: unknown = await verb.run(params, {
    ...options,
    withFile: (_name, use) => use(file),
    files: async (name) => [{ name, open: (use) => use(file) }],
    useOf: async (asked) => () => plainUse(asked),
    step() {},
    entriesOf: async (asked) => {
      if (Object.values(asked).every((one) => one === undefined)) return undefined;
      throw unsupported('The page chooses no entries for a report.');
    },
    inputs: noOthers,
    saveLists: noOthers,
    saveSelector: noOthers,
    text: noOthers,
    keepText: noOthers,
    trace: async () => undefined,
    misused: argumentError,
    note: (text) => notes.push(text),
  });
  return { result, notes };
}
