import { argumentError } from '../base/errors';
import { shownAddress } from '../io/http/shown-url';
import { nameOfSource } from '../library/sources';
import type { VerbCall, VerbFile } from '../verbs/verb';
import { chosenEntries, UsageError } from './arguments';
import { type Context, type FileOptions, type progressLine, withSource } from './context';
import { type NamedSource, sourceOf } from './targets';

/** Returns the calls that the command line lends a verb: files by its options, notes on stderr, and progress if it can be shown. */
export function verbCall(
  given: FileOptions,
  context: Context,
  progress?: ReturnType<typeof progressLine>,
): VerbCall {
  // --trace is of the file that a verb opens first: others, as a reference, are opened while it is open.
  let { trace } = given;
  const open = async <T>(
    named: NamedSource,
    use: (file: VerbFile) => Promise<T>,
    silent = false,
  ): Promise<T> => {
    const options = { ...given, silent, trace };
    trace = undefined;
    try {
      return await withSource(named, options, context, use);
    } finally {
      await progress?.wipe();
    }
  };
  return {
    withFile: async (name, use) => open(await sourceOf(name, given, context.files), use),
    async files(name, silent) {
      const named = await sourceOf(name, given, context.files);
      const parts = named.source.kind === 'chain' ? named.source.files : [named];
      if (given.trace !== undefined && parts.length > 1)
        throw new UsageError('--trace is of one file; name one.');
      return parts.map((part) => ({
        name: shownAddress(nameOfSource(part.source)),
        open: (use) => open(part, use, silent),
      }));
    },
    async useOf(asked) {
      const { useOf } = await import('./uses');
      return await useOf({ ...given, ...asked }, context);
    },
    async readings(name) {
      const { readingsOfFile, savedReadings } = await import('./saved-report');
      const readings = await savedReadings(name, { ...given, trace: undefined }, context);
      return (file) => readingsOfFile(readings, file);
    },
    async textOf(name) {
      const { files } = context;
      if (files.search.noLists)
        throw argumentError(`"${name}" would be a text file, which is not read here.`);
      await files.addInput(name);
      const { readNamed } = await import('./read-file');
      return (await readNamed(name)).toString();
    },
    probe: async (url, asked) => (await import('./probe-host')).probeFromHere(url, asked, context),
    entriesOf: ({ entries, entryList, sample, seed }, treeEntries) =>
      chosenEntries(
        {
          entries: entries === undefined ? undefined : [entries].flat(),
          'entry-list': entryList,
          sample,
          seed: seed?.toString(),
        },
        treeEntries,
      ),
    note: (text) => context.err.line(`note: ${text}`),
    onProgress: progress?.show,
  };
}
