import { dirname, isAbsolute, join } from 'node:path';
import { argumentError } from '../base/errors';
import { shownAddress } from '../io/http/shown-url';
import { nameOfSource } from '../library/sources';
import type { VerbCall, VerbFile } from '../verbs/verb';
import { chosenEntries, UsageError } from './arguments';
import { type Context, type FileOptions, pathOf, type progressLine, withSource, writeText } from './context';
import { isUrl, type NamedSource, refuseRanges, sourceOf } from './targets';

/** Returns the calls that the command line lends a verb: files by its options, notes on stderr, and progress if it can be shown. */
export function verbCall(
  given: FileOptions,
  context: Context,
  progress?: ReturnType<typeof progressLine>,
): VerbCall {
  const { failed } = context.files;
  const open = async <T>(
    named: NamedSource,
    use: (file: VerbFile) => Promise<T>,
    silent = false,
  ): Promise<T> => {
    try {
      return await withSource(named, { ...given, silent }, context, use);
    } finally {
      await progress?.wipe();
    }
  };
  return {
    async withFile(name, use) {
      const named = await sourceOf(name, given, context.files);
      refuseRanges(named);
      return await open(named, use);
    },
    async files(name, silent) {
      const named = await sourceOf(name, given, context.files);
      refuseRanges(named);
      const parts = named.source.kind === 'chain' ? named.source.files : [named];
      if (given.trace !== undefined && parts.length > 1)
        throw new UsageError('--trace is of one file; name one.');
      return parts.map((part) => ({
        name: shownAddress(nameOfSource(part.source)),
        open: (use) =>
          open(part, use, silent).catch((thrown: unknown) => {
            failed.addIfOfFile({ file: pathOf(nameOfSource(part.source)), tree: part.tree }, thrown);
            throw thrown;
          }),
        failed: () => failed.add({ file: pathOf(nameOfSource(part.source)), tree: part.tree }),
      }));
    },
    async inputs(name, tree, samples) {
      const { identityOf, inputsOf, localSizeOf } = await import('./inputs');
      const named = name === undefined ? [] : await inputsOf(name, tree, given, context);
      const inputs =
        samples === undefined
          ? named
          : await (await import('./samples')).sampledInputs(named, samples, tree, given, context);
      return inputs.map(({ source, ...input }) => ({
        ...input,
        identity: () => identityOf({ source }, context),
        localSize: () => localSizeOf({ source }),
        open: (use) =>
          open({ source }, use, true).catch((thrown: unknown) => {
            failed.addIfOfFile({ ...input, file: input.name }, thrown);
            throw thrown;
          }),
      }));
    },
    async saveLists(folder, lists) {
      const { saveLists } = await import('./list-line');
      return await saveLists(folder, lists, context.files);
    },
    async saveSelector(words, folder, inputs) {
      const { callOf } = await import('./calls');
      const pack = await callOf('packSelector', 'runs no selectors');
      const samples = new Map(inputs.flatMap(({ sample }) => (sample ? [[sample.name, sample]] : [])));
      return await pack(words, folder, [...samples.values()]);
    },
    async text(path) {
      if (context.files.search.noTexts)
        throw argumentError(`"${path}" names a file of text, which is not read here.`, 'Give its content.');
      await context.files.addInput(path);
      const { readNamed } = await import('./read-file');
      const bytes = await readNamed(path);
      return {
        ...{ text: bytes.toString(), bytes },
        beside: (name) => (isUrl(name) || isAbsolute(name) ? name : join(dirname(path), name)),
      };
    },
    async trace(path, isForeign) {
      if (context.files.search.noTexts) return undefined;
      const { traceReadings } = await import('./saved-report');
      return await traceReadings(path, context, isForeign);
    },
    async keepText(path, use) {
      const { keptText } = await import('./inputs');
      const { kept, end } = await keptText(path);
      try {
        return await use(kept);
      } finally {
        await progress?.wipe();
        const text = end();
        if (text !== undefined) await writeText(path, text, context);
      }
    },
    async keptOfUser(name) {
      const { textOfUser } = await import('./read-file');
      return await textOfUser(name);
    },
    async pageCacheBytes(path) {
      const { pageCacheBytes } = await import('./read-file');
      return await pageCacheBytes(path);
    },
    cpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    misused: (why) => new UsageError(why),
    async useOf(asked) {
      const { useOf } = await import('./uses');
      return await useOf({ ...given, ...asked }, context);
    },
    step: (label) => progress?.step(label),
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
