import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DrawRequest, KeyInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { toXylemError, XylemError } from '../../base/errors';
import { cyclePath } from '../../model/keys';
import type { Activities } from './activities';
import type { NodeId } from './contents-model';
import type { DrawSettings } from './plot-state';
import {
  type Content,
  isMistake,
  type OpenFile,
  type Query,
  type Selection,
  TABLE_ROWS,
} from './viewer-state';

/** The parts of the viewer that are needed to fill the right pane. */
export interface PaneContext {
  file: ReadonlySignal<OpenFile | null>;
  node: ReadonlySignal<NodeId>;
  settings: ReadonlySignal<DrawSettings>;
  /** Cut of the drawn branch; empty for all values. */
  branchCut: ReadonlySignal<string>;
  activities: Activities;
  /** Called after each action with its start time, in ms of performance.now(). */
  onDone(since: number): Promise<void>;
}

/** The content of the right pane, and the actions that fill it. Only the result of the last call is shown. */
export interface PaneContent {
  content: Signal<Content>;
  drawBranch(chosen: Selection & { kind: 'branch' }): void;
  drawQuery(tree: KeyInfo, query: Query): void;
  readEntries(chosen: Selection & { kind: 'branch' }, from: number): void;
  readObject(key: KeyInfo): void;
  readClasses(): void;
  /** Shows information on the selection after `ready` is fulfilled. */
  waitFor(ready: Promise<unknown>): void;
  /** Ignores the results of running actions. */
  forget(): void;
}

export function createPaneContent(api: EngineApi, context: PaneContext): PaneContent {
  const content = signal<Content>({ kind: 'info' });
  let fillNumber = 0;

  /** Runs an action that fills the right pane. Failures become its content. */
  async function fill(work: () => Promise<Content>): Promise<void> {
    const since = performance.now();
    const before = context.node.peek();
    const run = ++fillNumber;
    try {
      const next = await work();
      if (run === fillNumber && context.node.peek() === before) content.value = next;
    } catch (thrown) {
      if (run !== fillNumber || context.node.peek() !== before) return;
      const error = toXylemError(thrown);
      const kept = content.peek();
      const hasPlot = kept.kind === 'draw' || kept.kind === 'query';
      if (error.code === 'ABORTED') {
        if (!hasPlot) content.value = { kind: 'cancelled' };
        // A provisional plot stays. A plot from before the last change would be mistaken for its result.
        else if (kept.reading)
          content.value = kept.stale ? { kind: 'cancelled' } : { ...kept, cancelled: true };
      } else if (hasPlot && kept.stale && isMistake(error.toRecord()))
        content.value = { ...kept, reading: false, mistake: error.toRecord() };
      else content.value = { kind: 'failed', error: error.toRecord() };
    }
    await context.onDone(since);
  }
  function drawBranch(chosen: Selection & { kind: 'branch' }): void {
    const open = context.file.peek();
    if (open === null) return;
    const previous = content.peek();
    const label = `Reading ${chosen.branch.name}`;
    if (previous.kind === 'draw')
      content.value = { ...previous, reading: true, stale: true, mistake: undefined, cancelled: undefined };
    else content.value = { kind: 'reading' };
    const { bins, range } = context.settings.peek();
    const cut = context.branchCut.peek();
    const request: DrawRequest = {
      tree: cyclePath(chosen.key),
      branch: chosen.branch.index,
      ...(bins !== undefined && { bins }),
      ...(cut.trim() !== '' && { cut }),
      ...(range && { range }),
    };
    void fill(async () => {
      const result = await context.activities.run(
        'detail',
        label,
        (options) => api.draw(open.info.id, request, options),
        {
          onProgress({ partial, entriesDone }) {
            if (partial && entriesDone > 0)
              content.value = { kind: 'draw', result: partial, reading: true, stale: false };
          },
        },
      );
      return { kind: 'draw', result, reading: false, stale: false };
    });
  }

  function drawQuery(tree: KeyInfo, query: Query): void {
    const open = context.file.peek();
    if (open === null) return;
    const previous = content.peek();
    if (previous.kind === 'query')
      content.value = { ...previous, reading: true, stale: true, mistake: undefined, cancelled: undefined };
    else content.value = { kind: 'reading' };
    const { bins, yBins, range, yRange } = context.settings.peek();
    const request: DrawRequest = {
      tree: cyclePath(tree),
      expr: query.expr,
      cut: query.cut,
      ...(query.profile && { option: 'prof' }),
      ...((bins ?? yBins ?? range ?? yRange) && {
        axes: [{ bins, range }, ...((yBins ?? yRange) ? [{ bins: yBins, range: yRange }] : [])],
      }),
    };
    void fill(async () => {
      const result = await context.activities.run(
        'detail',
        `Drawing ${query.expr}`,
        (options) => api.draw(open.info.id, request, options),
        {
          onProgress({ partial, entriesDone }) {
            if (partial && entriesDone > 0)
              content.value = { kind: 'query', query, result: partial, reading: true, stale: false };
          },
        },
      );
      return { kind: 'query', query, result, reading: false, stale: false };
    });
  }

  function readEntries(chosen: Selection & { kind: 'branch' }, from: number): void {
    const open = context.file.peek();
    if (open === null) return;
    const last = Math.min(from + TABLE_ROWS, chosen.branch.entries);
    if (content.peek().kind !== 'entries') content.value = { kind: 'reading' };
    const label = `Reading ${chosen.branch.name}`;
    const request = {
      tree: cyclePath(chosen.key),
      branches: [chosen.branch.index],
      entries: [from, last] as [number, number],
    };
    void fill(async () => {
      const [result] = await context.activities.run('detail', label, (options) =>
        api.arrays(open.info.id, request, options),
      );
      if (result === undefined) {
        throw new XylemError({ code: 'INTERNAL', message: `No result for branch ${chosen.branch.path}.` });
      }
      if (result.error !== undefined) return { kind: 'failed', error: result.error };
      return { kind: 'entries', result, from };
    });
  }

  function readObject(key: KeyInfo): void {
    const open = context.file.peek();
    if (open === null) return;
    content.value = { kind: 'reading' };
    const label = `Reading ${key.name}`;
    void fill(async () => {
      const object = await context.activities.run('detail', label, (options) =>
        api.object(open.info.id, cyclePath(key), options),
      );
      return { kind: 'object', object };
    });
  }

  function readClasses(): void {
    const open = context.file.peek();
    if (open === null) return;
    content.value = { kind: 'reading' };
    void fill(async () => {
      const classes = await context.activities.run('detail', 'Reading classes', (options) =>
        api.types(open.info.id, options),
      );
      return { kind: 'classes', classes };
    });
  }

  return {
    content,
    drawBranch,
    drawQuery,
    readEntries,
    readObject,
    readClasses,
    waitFor(ready) {
      content.value = { kind: 'reading' };
      void fill(async () => {
        await ready;
        return { kind: 'info' };
      });
    },
    forget() {
      fillNumber++;
    },
  };
}
