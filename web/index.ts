/** The library for browsers. */

import type { PlainSource, WholeSource } from './api/api';
import type { Calculated } from './api/calc';
import type { CorrectionSet, EventList, GoodRuns, PileupChoice, PileupWeights } from './api/corrections';
import type { Histogram } from './api/drawing';
import { engineOf } from './api/engine-api';
import type { FitInput, FitOptions, FitResult, TogetherOptions, TogetherResult } from './api/fit';
import type { XylemReader } from './api/reader';
import type { FileSinkOptions, Sink } from './api/sink';
import type { Merged, WrittenNew } from './api/write';
import { unsupported } from './base/data-errors';
import { slotOf } from './base/slot';
import type { BinContents } from './bins/given-histogram';
import * as features from './features/library';
import type { LibraryPart } from './features/work-part';
import { checkOpen, type OpenOptions, openWith, ownLease, type RootHandle } from './library/open-root';
import { listOfPage } from './library/page-readers';
import { createSharedReaders } from './library/shared-readers';
import { maybeReplicas, type OneSource, type RootSource } from './library/sources';
import { wholeFile } from './library/whole-file';
import type { MergeFile, MergeRootOptions, RootWriter, WriteRootOptions } from './library/write';
import { coreOf, createReader, modulesOf, READER, type ReaderOptions, selectorWorker } from './reader';

export * from './public';
export { createReader, type ReaderOptions } from './reader';

/** Returns the same as `createReader`, under the name and in the form that it has in Node. */
export async function openReader(options?: ReaderOptions): Promise<XylemReader> {
  return createReader(options);
}

const lease = createSharedReaders((options: ReaderOptions) => engineOf(createReader(options)), listOfPage());

/**
 * Opens a ROOT file: an address, a Blob or File, bytes in memory, a byte source of one's own, or a list of
 * those whose trees are read as one. All files of a page share one reader, which ends when the last is
 * closed. Throws the errors of opening.
 */
export async function openRoot(
  source: RootSource,
  options: OpenOptions & ReaderOptions = {},
): Promise<RootHandle> {
  checkOpen(options, READER);
  const { worker, insight, selector, wasm, math, encoder, writer, fit, reader, ...call } = options;
  return openWith(
    reader ? ownLease(reader) : lease({ worker, insight, wasm, math, encoder, writer, fit }),
    source,
    {
      named: addressOf,
      openSelector: async (...asked) => {
        const openInPage = await slotOf<LibraryPart, 'openSelector'>(features, 'openSelector', 'selectors')();
        const selectors = {
          spawn: (own: () => Worker) => selectorWorker({ worker, selector }, own),
          core: () => coreOf(wasm),
        };
        return openInPage(selectors, ...asked);
      },
    },
    call,
  );
}

/**
 * Merges ROOT files into one: trees are chained, histograms, profiles and graphs are added as ROOT adds them, other
 * objects are kept. Each file is open, or a source that is opened only while it is read. Throws the errors of reading,
 * IO, UNSUPPORTED for trees that differ, and FILE_CHANGED.
 */
export async function mergeRoot(
  files: readonly MergeFile[],
  sink: Sink,
  options: MergeRootOptions & ReaderOptions = {},
): Promise<Merged> {
  const mergeWith = await slotOf<LibraryPart, 'mergeRoot'>(features, 'mergeRoot', 'writer')();
  const { worker, insight, wasm, math, encoder, writer, ...call } = options;
  return mergeWith(
    () => lease({ worker, insight, wasm, math, encoder, writer }),
    files,
    sink,
    addressOf,
    call,
  );
}

/**
 * Writes a new ROOT file with trees from columns, histograms and objects of other files, the counterpart of `openRoot`. The sink is closed when
 * `write` is done, and aborted when it fails. Throws what `write` throws, ARGUMENT for a codec that there is not, and IO.
 */
export async function writeRoot(
  sink: Sink,
  write: (file: RootWriter) => Promise<void>,
  options: WriteRootOptions & ReaderOptions = {},
): Promise<WrittenNew> {
  const writeRootWith = await slotOf<LibraryPart, 'writeRoot'>(features, 'writeRoot', 'writer')();
  const { worker, insight, wasm, math, encoder, writer, ...rest } = options;
  const shared = () => lease({ worker, insight, wasm, math, encoder, writer });
  return writeRootWith(() => modulesOf(options)('write'), shared, sink, write, rest);
}

/**
 * Computes with histograms as ROOT does, by the expressions of "xylem calc": calculate('rebin(a / b, 2)', { a, b }), with
 * results of `draw`, stored histograms, or contents of bins. It runs in the calling thread. Throws ARGUMENT and NOT_FOUND for
 * mistakes of the expression and for histograms with different bins, UNSUPPORTED for what profiles have not.
 */
export async function calculate(
  expression: string,
  histograms: Readonly<Record<string, Histogram | BinContents>>,
): Promise<Calculated> {
  const calculateWith = await slotOf<LibraryPart, 'calculate'>(features, 'calculate', 'calc')();
  return calculateWith(expression, histograms);
}

/**
 * Fits a function as TH1::Fit and TGraph::Fit of ROOT do, by Minuit2: "gaus", "gaus(0)+pol1(3)", or an expression with
 * parameters, as "[0]*exp(-x/[tau])". It runs in the calling thread. Throws ARGUMENT for texts and data that do not fit,
 * and BUDGET for a fit that takes too long; a fit without a minimum is a result whose `valid` is false.
 */
export async function fitHistogram(
  input: FitInput,
  text: string,
  options: FitOptions & ReaderOptions = {},
): Promise<FitResult> {
  const fitGiven = await slotOf<LibraryPart, 'fit'>(features, 'fit', 'fits')();
  const { worker, insight, selector, wasm, math, encoder, writer, fit, ...rest } = options;
  return fitGiven(() => modulesOf({ wasm, fit })('fit'), input, text, rest);
}

/**
 * Fits functions to several data at once, and minimizes the sum of their chi-squares or likelihoods. Parameters that `shared`
 * names are the same in all functions that have them. `functions`: one for all data, or one for each. Throws as
 * `fitHistogram`, and ARGUMENT if no two functions have a shared parameter.
 */
export async function fitTogether(
  inputs: readonly FitInput[],
  functions: string | readonly string[],
  options: TogetherOptions & ReaderOptions,
): Promise<TogetherResult> {
  const fitAll = await slotOf<LibraryPart, 'fitTogether'>(features, 'fitTogether', 'fits')();
  const { worker, insight, selector, wasm, math, encoder, writer, fit, ...rest } = options;
  return fitAll(() => modulesOf({ wasm, fit })('fit'), inputs, functions, rest);
}

/**
 * Throws UNSUPPORTED, because browsers have no paths. It is here for TypeScript, which takes these types also for programs
 * of Node where it resolves modules as bundlers do; such a program gets the function of Node.
 */
export function fileSink(path: string, _options: FileSinkOptions = {}): Sink {
  throw unsupported(
    `"${path}" cannot be written: a page has no paths.`,
    'Write into memorySink(), or into a sink of your own; programs of Node import xylem/node.',
  );
}

/**
 * Opens corrections in the format of correctionlib, schema version 2: JSON, or JSON that is gzip. The source is an address, a Blob,
 * or bytes in memory. Throws ARGUMENT with the place of a mistake in the document, and the errors of reading.
 */
export async function openCorrections(source: OneSource): Promise<CorrectionSet> {
  const { library, bytes, name } = await readBeside(source);
  return library.corrections(bytes, name);
}

/** Opens a list of good runs: the JSON of CMS, or the XML of ATLAS. See `openCorrections`. */
export async function openGoodRuns(source: OneSource): Promise<GoodRuns> {
  const { library, bytes, name } = await readBeside(source);
  return library.goodRuns(bytes, name);
}

/** Opens a list of events: a text with a line "run:block:event" for each. See `openCorrections`. */
export async function openEventList(source: OneSource): Promise<EventList> {
  const { library, bytes, name } = await readBeside(source);
  return library.eventList(bytes, name);
}

/**
 * Returns weights that give simulation the distribution of the number of interactions in data, each divided by its sum. Throws
 * ARGUMENT for distributions with other bins, without entries, or with negative ones.
 */
export async function pileupWeights(choice: PileupChoice): Promise<PileupWeights> {
  return (await correctionsLibrary()).pileup(choice);
}

const correctionsLibrary = () => slotOf<LibraryPart, 'corrections'>(features, 'corrections', 'corrections')();

const openSource = async (spec: WholeSource) =>
  (await import('./engine/browser-source')).openBrowserSource(spec);

async function readBeside(source: OneSource) {
  const library = await correctionsLibrary();
  return { library, ...(await wholeFile(source, addressOf, openSource, library.maxBytes)) };
}

const addressOf = (text: string): WholeSource => maybeReplicas(text, oneAddress);

function oneAddress(text: string): PlainSource {
  // Other texts fail when they are opened.
  return { kind: 'url', url: URL.canParse(text, location.href) ? new URL(text, location.href).href : text };
}
