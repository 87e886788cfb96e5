import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallOptions, ChainPart, DrawRequest, Histogram } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { unsupported } from '../../../base/data-errors';
import { argumentError, type ErrorRecord, toXylemError } from '../../../base/errors';
import { addressOf } from '../../../measure/address';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import type { PartialInput } from '../../../verbs/verb';
import { type DrawQuery, queryOf } from '../work/draw-kind';
import { askedKey, emptyPartial, histogramOfPartial, type PartialResult } from '../work/partial';
import { parsePartial, partialText } from '../work/partial-text';
import { changedInputs, readInputs } from '../work/read-inputs';
import type { Asked } from './asked';

/** Number of files that are read at once. Browsers keep six connections to a server. */
export const JOBS = 6;
/** Time in ms between two updates of a growing result. */
const SHOW_EVERY = 200;

export interface RunState {
  /** Number of files of the list that were read or failed, and number that failed. */
  done: number;
  failed: number;
  total: number;
  running: boolean;
  /** The sum over the files so far; undefined until the axes are known. */
  histogram: Histogram | undefined;
  /** The query, in the form of a saved result. */
  query: DrawQuery | undefined;
  error: ErrorRecord | undefined;
  /** A message about an event, for example a file that changed. */
  notice: string;
}

/** The drawing of one tree over all files of a list. It continues while other views are shown. */
export interface ChainRun {
  readonly state: ReadonlySignal<RunState>;
  /** Draws from the beginning. */
  start(asked: Asked): Promise<void>;
  /** Reads the files that are missing or failed. */
  resume(): Promise<void>;
  cancel(): void;
  /** Loads a saved result. Throws ARGUMENT for other texts. */
  load(text: string, name: string): Promise<void>;
  /** Returns the result so far, in the form of a saved file. */
  text(): Promise<string>;
}

const runs = new WeakMap<OpenFile, Map<string, ChainRun>>();

type Input = PartialInput & ChainPart;

/** Returns the files of a list with their addresses and the tree to read in each: `tree` if the list names none. */
export const inputsOf = (chain: readonly ChainPart[], tree: string): Promise<Input[]> =>
  Promise.all(
    chain.map(
      async (part): Promise<Input> => ({
        ...part,
        file: await addressOf(part.source),
        tree: part.tree ?? tree,
      }),
    ),
  );

/** Returns the run of a tree. It is the same while the file is open. */
export function chainRun(store: ViewerStore, open: OpenFile, tree: string): ChainRun {
  const ofFile = runs.get(open) ?? new Map<string, ChainRun>();
  runs.set(open, ofFile);
  const run = ofFile.get(tree) ?? createRun(store, open, tree);
  ofFile.set(tree, run);
  return run;
}

function createRun(store: ViewerStore, open: OpenFile, tree: string): ChainRun {
  const chain = open.chain ?? [];
  const slot = `all files ${tree}`;
  let partial: PartialResult<'draw'> | undefined;
  /** Whether the result was loaded from an earlier visit, so that files may have changed. */
  let old = false;
  const empty: RunState = {
    ...{ done: 0, failed: 0, total: chain.length, running: false, notice: '' },
    ...{ histogram: undefined, query: undefined, error: undefined },
  };
  const state = signal<RunState>(empty);
  const change = (part: Partial<RunState>) => {
    state.value = { ...state.peek(), ...part };
  };
  const show = (done: number) => {
    if (partial === undefined) return;
    const histogram = histogramOfPartial(partial);
    change({ done, failed: partial.failed.length, histogram, query: partial.query });
  };

  async function work(run: (api: EngineApi, options: CallOptions) => Promise<void>): Promise<void> {
    change({ running: true, error: undefined });
    try {
      await store.session.call(slot, `Drawing ${chain.length} files`, (api, _file, options) =>
        run(api, options),
      );
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'ABORTED') change({ error: error.toRecord() });
    } finally {
      change({ running: false });
    }
  }

  async function read(api: EngineApi, { signal: given, onProgress }: CallOptions): Promise<void> {
    const stop = given ?? new AbortController().signal;
    const inputs = await inputsOf(chain, tree);
    const opened = async ({ source }: ChainPart) => {
      const info = await api.open(source, { signal: stop });
      return { reader: api, info, close: () => api.close(info.id) };
    };
    if (partial !== undefined && old) {
      const changed = await changedInputs(partial, inputs, JOBS, stop, async (input) => {
        const { info, close } = await opened(input);
        await close();
        return info;
      });
      stop.throwIfAborted();
      if (changed.length > 0) {
        change({ notice: `${changed[0]?.file} changed since, so all files are read again.` });
        partial = emptyPartial('draw', partial.query);
      }
      old = false;
    }
    if (partial === undefined) return;
    const result = partial;
    result.failed = [];
    const there = new Set(result.inputs.map(askedKey));
    let done = inputs.filter((input) => there.has(askedKey(input))).length;
    show(done);
    let shown = performance.now();
    await readInputs<'draw', Input>(result, inputs, {
      jobs: JOBS,
      signal: stop,
      open: opened,
      onInput(count) {
        done = count;
        const { failed } = result;
        onProgress?.({
          label: `${done} of ${inputs.length} files${failed.length > 0 ? `, ${failed.length} failed` : ''}`,
          ...{ bytesDone: 0, bytesTotal: 0, entriesDone: done, entriesTotal: inputs.length },
        });
        if (stop.aborted || partial !== result || performance.now() - shown < SHOW_EVERY) return;
        shown = performance.now();
        show(done);
      },
    });
    if (partial === result) show(done);
  }

  /** Returns the query with the axes of the request, or those of the first file. */
  async function queryFor(api: EngineApi, request: DrawRequest, options: CallOptions): Promise<DrawQuery> {
    try {
      return queryOf(request);
    } catch (thrown) {
      if (toXylemError(thrown).code !== 'ARGUMENT') throw thrown;
    }
    const sample = await api.draw(open.info.id, request, options);
    if (sample.kind !== 'histogram' || sample.axes.some(({ labels }) => labels)) {
      throw unsupported('Only histograms and profiles of numbers are drawn over all files.');
    }
    const axes = sample.axes.map(({ bins, low, high }) => ({ bins, range: [low, high] as [number, number] }));
    return queryOf({ ...request, axes });
  }

  return {
    state,
    async start(asked) {
      partial = undefined;
      old = false;
      state.value = empty;
      await work(async (api, options) => {
        const query = await queryFor(api, requestOf(asked, tree), options);
        partial = emptyPartial('draw', query);
        await read(api, options);
      });
    },
    async resume() {
      change({ notice: '' });
      await work(read);
    },
    cancel: () => store.activities.cancel(slot),
    async load(text, name) {
      const found = await parsePartial(text, name);
      if (found.kind !== 'draw') {
        throw argumentError(
          `${name} is a result of "${found.kind}", not of a drawing.`,
          '"xylem combine" shows it.',
        );
      }
      store.activities.cancel(slot);
      partial = found;
      old = true;
      const there = new Set([...found.inputs, ...found.failed].map(askedKey));
      const files = (await inputsOf(chain, tree)).map(askedKey);
      const known = files.filter((file) => there.has(file)).length;
      state.value = empty;
      show(known);
      const others = found.inputs.length + found.failed.length - known;
      if (others > 0) change({ notice: `${name} has ${others} inputs that are not in this list of files.` });
    },
    async text() {
      if (partial === undefined) throw argumentError('Nothing was drawn yet.');
      return `${await partialText(partial)}\n`;
    },
  };
}

function requestOf({ expr, cut, profile, bins, low, high }: Asked, tree: string): DrawRequest {
  const number = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
  const ends = [number(low), number(high)] as [number, number];
  return {
    ...{ tree, expr, cut, option: profile ? 'prof' : '' },
    ...(bins !== '' && { bins: number(bins) }),
    ...(low !== '' && high !== '' && { range: ends }),
  };
}
