import { type ReadonlySignal, signal } from '@preact/signals';
import { SELECTOR_NAME } from '../../../workers/selector/box-api';
import type { OpenBox } from '../../../workers/selector/open-members';
import type { CallOptions, ChainPart, TreeInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { ProcessResult } from '../../api/selector';
import { unsupported } from '../../base/data-errors';
import { argumentError, type ErrorRecord, toXylemError, WorkerLost, XylemError } from '../../base/errors';
import { selectorText } from '../../export/code/selector-text';
import { addState } from '../../measure/gathered';
import { addressOf, sha256 } from '../../measure/partial/address';
import {
  emptyPartial,
  failuresOf,
  type PartialInput,
  type PartialResult,
} from '../../measure/partial/partial';
import { partialText } from '../../measure/partial/partial-text';
import { processingReader } from '../../measure/partial/process-rows';
import { readInputs } from '../../measure/partial/read-inputs';
import type { OpenFile, ViewerStore } from '../state/viewer-state';
import type { EditorFault } from './box/editor';
import { openBox } from './open-box';
import type { SelectorPlace } from './place';

/** Files of a list that are read at once: each has several tasks under way. */
const JOBS = 2;
/** A run of a list ends when the code has failed in this many files and no file was read whole. */
const TRIED = 3;
/** ms between two pictures of a growing result. */
const SHOW_EVERY = 200;
/** A part of the entries that takes more seconds is stopped. */
export const LIMIT_S = 10;

export interface SelectorState {
  running: boolean;
  /** Results until now. */
  result: ProcessResult | undefined;
  error: ErrorRecord | undefined;
  /** The place of the error in the text, where it is known. */
  fault: EditorFault | undefined;
  /** Number of files that were read, that failed, and of all. */
  files: { done: number; failed: number; total: number };
}

/** The selector of a tree: its text, and what it made. It goes on while other views are shown. */
export interface SelectorRun {
  readonly state: ReadonlySignal<SelectorState>;
  /** Undefined before the first text was written. */
  readonly text: ReadonlySignal<string | undefined>;
  setText(text: string): void;
  /** Writes the first text, with the branches of the tree. */
  begin(tree: TreeInfo): Promise<void>;
  /** `script` is that of the workers. */
  start(place: SelectorPlace, script: string, limitS: number): Promise<void>;
  stop(): void;
  /** The result of whole files, as `xylem process --partial` writes it. */
  saved(): Promise<string>;
}

const runs = new WeakMap<OpenFile, Map<string, SelectorRun>>();

/** The run of a tree; the same while the file is open. */
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
  const empty: SelectorState = {
    ...{ running: false, result: undefined, error: undefined, fault: undefined },
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
      if (error.code !== 'ABORTED') change({ error: error.toRecord(), fault: faultOf(error.message) });
    }
  };

  /** Reads the files one after another, or the only one, and shows what there is meanwhile. */
  async function read(
    api: EngineApi,
    box: OpenBox,
    { signal: stop, onProgress }: CallOptions & { signal: AbortSignal },
  ) {
    const code = text.peek() ?? '';
    // A page without https has no checksum: then the result cannot be saved.
    const hash = await sha256(code).catch(() => '');
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
    let latest: (() => ProcessResult) | undefined;
    let shown = performance.now();
    const show = (): void => {
      if (latest) change({ result: latest() });
      shown = performance.now();
    };
    const whole = (): ProcessResult => ({ ...structuredClone(result.sum), partial: failuresOf(result) });
    const withPart = (sum: () => ProcessResult) => (): ProcessResult => {
      const [before, more] = [whole(), sum()];
      const known = Object.keys(before.state).length > 0;
      return {
        state: known ? addState(before.state, more.state, undefined) : more.state,
        entries: before.entries + more.entries,
        passed: before.passed + more.passed,
      };
    };
    const own = Object.entries(box.empty).find(([, { kind }]) => kind === 'own');
    if (own && open.chain) {
      throw unsupported(
        `"${own[0]}" is merged by the selector itself, so that results of several files do not add up here.`,
        'Make it with the job of begin, or open one of the files alone.',
      );
    }
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
          // The workers are ended after some errors; and code that fails in all files has to be changed.
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
        const reader = processingReader(api, watched, {
          onSum(sum) {
            latest = withPart(sum);
            if (performance.now() - shown > SHOW_EVERY) show();
          },
          onProgress: open.chain ? undefined : onProgress,
        });
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
        if (open.chain === undefined || performance.now() - shown > SHOW_EVERY) show();
      },
    });
    show();
    if (mistake) throw mistake;
    const [first] = result.failed;
    if (first && (open.chain === undefined || result.inputs.length === 0))
      throw new XylemError({ ...first.error, where: { url: first.file } });
  }

  return {
    state,
    text,
    setText(next) {
      text.value = next;
    },
    async begin(info) {
      if (text.peek() !== undefined) return;
      await work('Writing a first selector', async (api, { signal: stop }) => {
        const first = await selectorText(api, open.info.id, info, { language: 'js', signal: stop });
        text.value ??= first;
      });
      text.value ??= FALLBACK;
    },
    async start(place, script, limitS) {
      if (state.peek().running) return;
      state.value = { ...empty, running: true };
      await work('Processing', async (api, call) => {
        const limits = { limitMs: 1000 * limitS, signal: call.signal };
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
      const own = Object.entries(partial.sum.state).find(([, { kind }]) => kind === 'own');
      if (own) {
        throw unsupported(
          `"${own[0]}" is merged by the selector itself, so that this result does not add up later.`,
          'Make it with the job of begin.',
        );
      }
      return `${await partialText(partial)}\n`;
    },
  };
}

/** Where no first text can be written. */
const FALLBACK = `export default {
  branches: {},
  begin: (job) => ({}),
  process(columns, out, task) {},
};
`;

/** The place in the text that a message of a selector names. */
function faultOf(message: string): EditorFault | undefined {
  const [, line, column = '1'] = /^The selector selector\.js:(\d+)(?::(\d+))? /.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column), message };
}
