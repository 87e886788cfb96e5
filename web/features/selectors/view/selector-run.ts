import { type ReadonlySignal, signal } from '@preact/signals';
import type { CallOptions, ChainPart, PartialNote, TreeInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { ProcessResult } from '../../../api/selector';
import { argumentError, type ErrorRecord, toXylemError, WorkerLost, XylemError } from '../../../base/errors';
import { shownUrl } from '../../../io/http/shown-url';
import { addressOf, sha256 } from '../../../measure/address';
import type { SelectorPlace } from '../../../ui/embed/selector-place';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import type { PartialInput } from '../../../verbs/verb';
import { emptyPartial, failuresOf, loadKind, type PartialResult } from '../../chains/work/partial';
import { partialText } from '../../chains/work/partial-text';
import { readInputs } from '../../chains/work/read-inputs';
import { selectorText } from '../../snippets/work/selector-text';
import { SELECTOR_NAME } from '../threads/box-api';
import type { OpenBox } from '../threads/open-members';
import { checkAddsUp } from '../work/gathered';
import { processingReader } from '../work/partial/process-rows';
import { addProcess } from '../work/partial/process-sum';
import { checkedLine, MAX_LINES } from './box/console-line';
import type { EditorFault } from './box/editor';
import { keptText } from './kept-text';
import { openBox } from './open-box';

/** Number of files of a list that are read at once. Each has several running tasks. */
const JOBS = 2;
/** A run over a list ends if the code has failed in this many files and no file was complete. */
const TRIED = 3;
/** Time in ms between two updates of a growing result. */
const SHOW_EVERY = 200;
/** Time limit in seconds for a part of the entries. */
export const LIMIT_S = 10;

export interface SelectorState {
  running: boolean;
  /** Results so far. */
  result: ProcessResult | undefined;
  error: ErrorRecord | undefined;
  /** Files of a list in which the code failed. */
  mistakes: PartialNote | undefined;
  /** Whether the user stopped it. */
  stopped: boolean;
  /** The first lines that the code wrote to the console. */
  lines: readonly string[];
  /** Position of the error in the text, if known. */
  fault: EditorFault | undefined;
  /** Numbers of files that were read, that failed, and of all. */
  files: { done: number; failed: number; total: number };
}

/** The selector of a tree: its text and its results. It continues while other views are shown. */
export interface SelectorRun {
  readonly state: ReadonlySignal<SelectorState>;
  /** Undefined until the first text is written. */
  readonly text: ReadonlySignal<string | undefined>;
  setText(text: string): void;
  /** Whether the text was written before the page was reloaded. */
  readonly isKept: ReadonlySignal<boolean>;
  /** Sets the stored text, or a first text with the branches of the tree. */
  begin(tree: TreeInfo): Promise<void>;
  /** Returns the first text, regardless of later changes. */
  firstText(tree: TreeInfo): Promise<string>;
  /** `script` is the script of the workers. */
  start(place: SelectorPlace, script: string, limitS: number): Promise<void>;
  stop(): void;
  /** Returns the result for whole files, in the form of `xylem process --partial`. */
  saved(): Promise<string>;
}

const runs = new WeakMap<OpenFile, Map<string, SelectorRun>>();

/** Returns the run of a tree. It is the same while the file is open. */
export function selectorRun(store: ViewerStore, open: OpenFile, tree: string): SelectorRun {
  const ofFile = runs.get(open) ?? new Map<string, SelectorRun>();
  runs.set(open, ofFile);
  const run = ofFile.get(tree) ?? createRun(store, open, tree);
  ofFile.set(tree, run);
  return run;
}

function createRun(store: ViewerStore, open: OpenFile, tree: string): SelectorRun {
  const slot = `selector ${tree}`;
  const parts: readonly ChainPart[] = open.chain ?? [];
  const total = open.chain?.length ?? 1;
  const text = signal<string | undefined>(undefined);
  const isKept = signal(false);
  const kept = keptText(store.selectors?.kept, `${placeOf(open)} ${open.info.size} ${tree}`);
  const empty: SelectorState = {
    ...{ running: false, result: undefined, error: undefined, fault: undefined },
    ...{ mistakes: undefined, stopped: false, lines: [] },
    files: { done: 0, failed: 0, total },
  };
  const state = signal(empty);
  const change = (part: Partial<SelectorState>): void => {
    state.value = { ...state.peek(), ...part };
  };
  let partial: PartialResult<'process'> | undefined;

  const work = async (
    label: string,
    run: (api: EngineApi, call: CallOptions & { signal: AbortSignal }) => Promise<void>,
  ): Promise<void> => {
    try {
      await store.session.call(slot, label, (api, _file, { signal: given, ...options }) =>
        run(api, { ...options, signal: given ?? new AbortController().signal }),
      );
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED') change({ stopped: true });
      else change({ error: error.toRecord(), fault: faultOf(error.message) });
    }
  };
  const onLine = (given: unknown): void => {
    const line = checkedLine(given);
    const { lines } = state.peek();
    if (line !== undefined && lines.length <= MAX_LINES) change({ lines: [...lines, line] });
  };

  /** Reads the files one after another, or the only one, and shows intermediate results. */
  async function read(
    api: EngineApi,
    box: OpenBox,
    { signal: stop, onProgress }: CallOptions & { signal: AbortSignal },
  ) {
    const code = text.peek() ?? '';
    // Without https a page cannot compute a checksum, so the result cannot be saved.
    const hash = await sha256(code).catch(() => '');
    await loadKind('process');
    const result = emptyPartial('process', {
      ...{ name: SELECTOR_NAME, hash, set: {}, rootVersion: '6.42' as const },
    });
    partial = result;
    type Input = PartialInput & { source?: ChainPart['source'] };
    const inputs: Input[] = open.chain
      ? await Promise.all(
          parts.map(async (part) => ({
            ...{ source: part.source, tree: part.tree ?? tree },
            file: await addressOf(part.source),
          })),
        )
      : [{ file: open.source.kind === 'chain' ? open.info.name : await addressOf(open.source), tree }];
    const ended = new AbortController();
    /** The first error of the code. */
    let mistake: XylemError | undefined;
    const mistaken = new Set<string>();
    /** First error of reading, with its suggestions. A partial result would keep only its text. */
    let unreadable: XylemError | undefined;
    let latest: (() => ProcessResult) | undefined;
    let shown = performance.now();
    const show = (): void => {
      if (latest) change({ result: latest(), mistakes: failuresBy(true) });
      shown = performance.now();
    };
    /**
     * Returns the files of a list in which the code failed, or which failed for other reasons. For a single file
     * there is an error instead.
     */
    const failuresBy = (byCode: boolean): PartialNote | undefined => {
      if (open.chain === undefined) return undefined;
      const failed = result.failed.filter(({ file }) => mistaken.has(file) === byCode);
      const note = failuresOf({ ...result, failed });
      return note && { ...note, total: result.failed.length + result.inputs.length };
    };
    const whole = (): ProcessResult => ({ ...structuredClone(result.sum), partial: failuresBy(false) });
    const withPart = (sum: () => ProcessResult) => (): ProcessResult => {
      const all = structuredClone(result.sum);
      addProcess(all, { ...sum(), samples: new Map() });
      return all;
    };
    if (open.chain)
      checkAddsUp(
        box.empty,
        'results of several files do not add up here',
        ', or open one of the files alone',
      );
    const watched: OpenBox = {
      ...box,
      run: async (task, rows) => {
        try {
          return await box.run(task, rows);
        } catch (thrown) {
          const error = toXylemError(thrown);
          if (!mistake && error.code !== 'ABORTED') {
            mistake = error;
            change({ error: error.toRecord(), fault: faultOf(error.message) });
          }
          mistaken.add(task.file);
          // After some errors the workers are ended. Code that fails in all files has to be changed.
          const isLost = error instanceof WorkerLost || error.code === 'TIMEOUT';
          if (isLost || (result.inputs.length === 0 && mistaken.size >= TRIED)) ended.abort();
          throw thrown;
        }
      },
    };
    const options = { jobs: open.chain ? JOBS : 1, signal: AbortSignal.any([stop, ended.signal]) };
    await readInputs<'process', Input>(result, inputs, {
      ...options,
      async open({ source }) {
        const info = source ? await api.open(source, { signal: stop }) : open.info;
        const own = processingReader(api, watched, {
          onSum(sum) {
            latest = withPart(sum);
            if (performance.now() - shown > SHOW_EVERY) show();
          },
          onProgress: open.chain ? undefined : onProgress,
        });
        const reader: EngineApi = {
          ...own,
          process: (...given) =>
            own.process(...given).catch((thrown: unknown) => {
              unreadable ??= toXylemError(thrown);
              throw thrown;
            }),
        };
        const close = async (): Promise<void> => {
          if (source) await api.close(info.id);
        };
        return { reader, info, selector: { module: SELECTOR_NAME }, close };
      },
      onInput(done) {
        const failed = result.failed.length;
        latest = whole;
        onProgress?.({
          label: `${done} of ${inputs.length} files${failed > 0 ? `, ${failed} failed` : ''}`,
          ...{ bytesDone: 0, bytesTotal: 0, entriesDone: done, entriesTotal: inputs.length },
        });
        change({ files: { done, failed, total } });
        if (performance.now() - shown > SHOW_EVERY) show();
      },
    });
    if (result.inputs.length > 0) show();
    else change({ result: undefined, mistakes: undefined });
    if (mistake) throw mistake;
    const [first] = result.failed;
    if (first && (open.chain === undefined || result.inputs.length === 0))
      throw unreadable?.message === first.error.message
        ? unreadable
        : new XylemError({ ...first.error, where: { url: first.file } });
  }

  async function firstText(info: TreeInfo): Promise<string> {
    let first = FALLBACK;
    await work('Writing a first selector', async (api, { signal: stop }) => {
      first = await selectorText(api, open.info.id, info, { language: 'js', signal: stop });
    });
    return first;
  }

  return {
    state,
    text,
    isKept,
    setText(next) {
      text.value = next;
      isKept.value = false;
      kept.save(next);
    },
    async begin(info) {
      if (text.peek() !== undefined) return;
      const before = kept.load();
      isKept.value = before !== undefined && text.peek() === undefined;
      text.value ??= before ?? (await firstText(info));
    },
    firstText,
    async start(place, script, limitS) {
      if (state.peek().running) return;
      state.value = { ...empty, running: true };
      await work('Processing', async (api, call) => {
        const limits = { limitMs: 1000 * limitS, signal: call.signal, onLine };
        const box = await openBox(place, { text: text.peek() ?? '', script, ...limits });
        try {
          await read(api, box, call);
        } finally {
          box.end();
        }
      });
      change({ running: false });
    },
    stop: () => store.activities.cancel(slot),
    async saved() {
      if (partial === undefined || partial.inputs.length === 0)
        throw argumentError('No file was processed as a whole yet.');
      checkAddsUp(partial.sum.state, 'this result does not add up later', '');
      return `${await partialText(partial)}\n`;
    },
  };
}

/** Returns the address of a file without secrets, or its name. */
function placeOf({ source, info }: OpenFile): string {
  const whole = source.kind === 'within' ? source.outer : source;
  const name = whole.kind === 'url' ? shownUrl(new URL(whole.url)) : info.name;
  return source.kind === 'within' ? `${name}@${source.offset}` : name;
}

/** Text used if no first text can be generated. */
const FALLBACK = `export default {
  branches: {},
  begin: (job) => ({}),
  process(columns, out, task) {},
};
`;

/** Returns the position in the text that a message of a selector names. */
function faultOf(message: string): EditorFault | undefined {
  const [, line, column = '1'] = /^The selector selector\.js:(\d+)(?::(\d+))? /.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column), message };
}
