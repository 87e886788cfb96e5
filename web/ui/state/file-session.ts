import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { CallOptions, FileId, SourceSpec } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { argumentError, type ErrorRecord, toXylemError } from '../../base/errors';
import type { ReadRecord } from '../../io/trace';
import type { Activities } from './activities';
import { type PageState, readableUrl } from './address/url-state';
import { buildKeyTree } from './contents-model';
import type { ContentsState } from './contents-state';
import type { Job, Jobs, Written } from './jobs';
import type { Navigation } from './navigation';
import type { Tabs } from './open-files';
import type { SelectionState } from './selection';
import type { Traffic } from './traffic';
import { isList, type OpenFile, sourceName, type Watched } from './viewer-state';

/** The file that is shown, or is being opened. */
export interface ShownFile {
  readonly file: Signal<OpenFile | null>;
  /** The source that is being opened, or that failed to open. */
  readonly opening: Signal<SourceSpec | null>;
  readonly openError: Signal<ErrorRecord | null>;
  /** The state requested by a link, until it is shown. */
  readonly pending: Signal<PageState | null>;
}

export function createShownFile(): ShownFile {
  return { file: signal(null), opening: signal(null), openError: signal(null), pending: signal(null) };
}

/** Opens, reads and closes the shown file. */
export interface FileSession extends Watched<ShownFile> {
  /** Whether the target of a link is being read and is not shown yet. */
  readonly arriving: ReadonlySignal<boolean>;
  open(source: SourceSpec, asked?: PageState): Promise<void>;
  /** Tries again to open the file whose opening failed. */
  retry(): void;
  /** Opens the file again and restores the shown state. */
  reopen(): void;
  /** Reads again after a failure. A file that changed, or was opened without its server, is opened again. */
  reload(): void;
  /** Shows a file that is already open. */
  adopt(open: OpenFile, asked: PageState): Promise<void>;
  /** Empties the viewer. The file is closed unless `keep` is set because it will be shown again. */
  reset(keep?: boolean): void;
  /** Empties the viewer and shows this error instead. */
  fail(error: ErrorRecord): void;
  release(open: OpenFile): void;
  /** Returns all reads of the open file so far. */
  reads(): Promise<ReadRecord[]>;
  /** Runs a view's reading of the open file. It is listed as running, and can be cancelled. */
  call<T>(
    slot: string,
    label: string,
    run: (api: EngineApi, file: FileId, options: CallOptions) => Promise<T>,
  ): Promise<T>;
  /**
   * Writes a file from the shown one, as a job. The job continues while another file is shown, and ends when this one
   * is closed.
   */
  write(
    job: Pick<Job, 'place' | 'name'>,
    run: (api: EngineApi, file: FileId, options: CallOptions) => Promise<Written>,
    abandon: () => Promise<void>,
  ): Promise<void>;
}

export interface SessionContext {
  shown: ShownFile;
  activities: Activities;
  jobs: Jobs;
  traffic: Traffic;
  contents: ContentsState;
  selection: SelectionState;
  navigation: Navigation;
  tabs: Tabs;
}

export function createFileSession(api: EngineApi, context: SessionContext): FileSession {
  const { shown, activities, jobs, traffic, contents, selection, navigation, tabs } = context;
  const { file, opening, openError, pending } = shown;
  /** The state requested by the last opening. */
  let openView: PageState = {};
  /** The number of openings, to tell a later one of the same source. */
  let openings = 0;

  function release(open: OpenFile): void {
    jobs.leave(open.info.id);
    // If closing fails there is nothing to do, because the reader drops the file anyway.
    void api.close(open.info.id).catch(() => undefined);
  }

  function reset(keep = false): void {
    activities.cancel();
    const open = file.peek();
    batch(() => {
      file.value = null;
      openError.value = null;
      pending.value = null;
      opening.value = null;
      traffic.clear();
      contents.clear();
      selection.clear();
    });
    if (open !== null && !keep) release(open);
  }

  /** Returns the open file, or null if the user cancelled. */
  function openFile(source: SourceSpec): Promise<OpenFile | null> {
    return activities.run('open', `Opening ${sourceName(source)}`, async (options) => {
      const listed = isList(source) ? await import('./chain-list') : undefined;
      const chain = await listed?.chainOf(source, readableUrl, options.signal);
      const info =
        chain && listed ? await listed.openFirst(api, chain, options) : await api.open(source, options);
      if (options.signal?.aborted) {
        await api.close(info.id);
        return null;
      }
      try {
        return { source, info, keyTree: buildKeyTree(await api.keys(info.id, options)), chain };
      } catch (thrown) {
        await api.close(info.id);
        throw thrown;
      }
    });
  }

  async function showAsked(open: OpenFile, asked: PageState, since: number): Promise<void> {
    await traffic.count(since);
    // Back and forward may have asked for another state meanwhile.
    const isAsked = () => file.peek() === open && pending.peek() === asked;
    if (!isAsked()) return;
    await navigation.show(asked);
    if (isAsked()) pending.value = null;
  }

  async function open(source: SourceSpec, asked: PageState = {}): Promise<void> {
    const turn = ++openings;
    openView = asked;
    batch(() => {
      reset();
      tabs.replaced(source);
      pending.value = asked;
      opening.value = source;
    });
    const since = performance.now();
    try {
      const opened = await openFile(source);
      // A later one may be of the same source.
      if (opened === null || turn !== openings || opening.peek() !== source) return;
      batch(() => {
        file.value = opened;
        opening.value = null;
      });
      await showAsked(opened, asked, since);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (turn !== openings || (opening.peek() !== source && file.peek()?.source !== source)) return;
      if (error.code === 'ABORTED') opening.value = null;
      else openError.value = error.toRecord();
    }
  }

  function reopen(): void {
    const now = file.peek();
    if (now !== null) void open(now.source, navigation.shownState.peek());
  }

  return {
    ...shown,
    arriving: computed(() => pending.value !== null),
    open,
    retry() {
      const source = opening.peek();
      if (source !== null) void open(source, openView);
    },
    reopen,
    reload() {
      const failed = selection.content.peek();
      // Without its server, only the cached bytes of the file can be read.
      const kept = file.peek()?.info.offline;
      if (kept || (failed.kind === 'failed' && failed.error.code === 'FILE_CHANGED')) reopen();
      else selection.refill();
    },
    async adopt(opened, asked) {
      openView = asked;
      batch(() => {
        file.value = opened;
        pending.value = asked;
      });
      await showAsked(opened, asked, performance.now());
    },
    reset,
    fail(error) {
      batch(() => {
        reset();
        openError.value = error;
      });
    },
    release,
    async reads() {
      const open = file.peek();
      return open === null ? [] : await api.trace(open.info.id);
    },
    async call(slot, label, run) {
      const open = file.peek();
      if (open === null) throw argumentError('No file is open.');
      const since = performance.now();
      try {
        return await activities.run(slot, label, (options) => run(api, open.info.id, options));
      } finally {
        void traffic.count(since);
      }
    },
    async write(job, run, abandon) {
      const open = file.peek();
      if (open === null) return;
      const { id } = open.info;
      const since = performance.now();
      await jobs.start({ ...job, file: id }, (options) => run(api, id, options), abandon);
      if (file.peek() === open) void traffic.count(since);
    },
  };
}
