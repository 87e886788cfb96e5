import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { SourceSpec } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import type { Reading } from '../../insight/reads/reading';
import type { TraceSummary } from '../../io/trace';
import type { Activities } from './activities';
import { createSessionLink, MIN_REQUESTS, type SessionLink } from './address/session-link';
import { type PageState, readableUrl } from './address/url-state';
import { type CacheControl, createCacheControl } from './cache-control';
import { buildKeyTree } from './contents-model';
import { isList, type OpenFile, sourceName } from './viewer-state';

/** The other parts of the viewer that follow the file. */
export interface SessionHooks {
  /** Forgets everything that belongs to the file. */
  clear(): void;
  /** This file is being opened in place of the one that is shown. */
  replaced(source: SourceSpec): void;
  /** Shows what the link asks for, in the file that is open now. */
  show(asked: PageState): Promise<void>;
}

/** The file that is shown: how it is opened, closed and kept, and how much of it was read. */
export interface FileSession {
  readonly file: ReadonlySignal<OpenFile | null>;
  readonly opening: ReadonlySignal<SourceSpec | null>;
  readonly openError: Signal<ErrorRecord | null>;
  /** The link's state from the moment it is asked for until it is shown. */
  readonly pending: Signal<PageState | null>;
  readonly trace: ReadonlySignal<TraceSummary | null>;
  readonly lastTime: ReadonlySignal<number | null>;
  readonly savedReading: Signal<Reading | undefined>;
  readonly cache: CacheControl;
  readonly link: SessionLink;
  open(source: SourceSpec, asked?: PageState): Promise<void>;
  /** Opens the file again whose opening failed. */
  retry(): void;
  /** Shows a file that is open already. */
  adopt(open: OpenFile, asked: PageState): Promise<void>;
  /** Empties the viewer. The file is closed unless `keep` says that it will be shown again. */
  reset(keep?: boolean): void;
  release(open: OpenFile): void;
  /** Counts what was read since an action started, ms of performance.now(). */
  updateTrace(since: number): Promise<void>;
}

/** An action that took longer slept with the machine, or its clock was set: its time says nothing. */
const MAX_ACTION_MS = 3_600_000;

export function createFileSession(api: EngineApi, activities: Activities, hooks: SessionHooks): FileSession {
  const file = signal<OpenFile | null>(null);
  const opening = signal<SourceSpec | null>(null);
  const openError = signal<ErrorRecord | null>(null);
  const pending = signal<PageState | null>(null);
  const trace = signal<TraceSummary | null>(null);
  const lastTime = signal<number | null>(null);
  const savedReading = signal<Reading | undefined>(undefined);
  const cache = createCacheControl(api, { file, activities });
  const link = createSessionLink(file);
  /** The state that the last opening asked for. */
  let openView: PageState = {};

  async function updateTrace(since: number): Promise<void> {
    const took = performance.now() - since;
    lastTime.value = took < MAX_ACTION_MS ? took : null;
    const open = file.peek();
    if (open === null) return;
    try {
      const summary = await api.traceSummary(open.info.id);
      if (file.peek() === open) trace.value = summary;
      if (summary.requests >= MIN_REQUESTS && link.wants(open)) void learnLink(open);
      if (open.source.kind === 'url') await cache.update();
    } catch {
      // The file was closed meanwhile, so there is nothing to count any more.
      if (file.peek() === open) trace.value = null;
    }
  }

  async function learnLink(open: OpenFile): Promise<void> {
    try {
      await link.learn(open, await api.trace(open.info.id));
    } catch {
      // The file was closed meanwhile, or the code did not come: nothing is said of the link.
    }
  }

  function release(open: OpenFile): void {
    // A close that fails leaves nothing to do, because the reader gives the file up either way.
    void api.close(open.info.id).catch(() => undefined);
  }

  function reset(keep = false): void {
    activities.cancel();
    const open = file.peek();
    batch(() => {
      file.value = null;
      trace.value = null;
      savedReading.value = undefined;
      lastTime.value = null;
      openError.value = null;
      pending.value = null;
      opening.value = null;
      hooks.clear();
    });
    if (open !== null && !keep) release(open);
  }

  /** Returns the open file, or null when the user cancelled. */
  function openFile(source: SourceSpec): Promise<OpenFile | null> {
    return activities.run('open', `Opening ${sourceName(source)}`, async (options) => {
      const listed = isList(source) ? await import('../chain/chain') : undefined;
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
    await updateTrace(since);
    await hooks.show(asked);
    if (file.peek() === open) pending.value = null;
  }

  async function open(source: SourceSpec, asked: PageState = {}): Promise<void> {
    openView = asked;
    batch(() => {
      reset();
      hooks.replaced(source);
      pending.value = asked;
      opening.value = source;
    });
    const since = performance.now();
    try {
      const opened = await openFile(source);
      if (opened === null || opening.peek() !== source) return;
      batch(() => {
        file.value = opened;
        opening.value = null;
      });
      await showAsked(opened, asked, since);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (opening.peek() !== source && file.peek()?.source !== source) return;
      if (error.code === 'ABORTED') opening.value = null;
      else openError.value = error.toRecord();
    }
  }

  return {
    file,
    opening,
    openError,
    pending,
    trace,
    lastTime,
    savedReading,
    cache,
    link,
    open,
    retry() {
      const source = opening.peek();
      if (source !== null) void open(source, openView);
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
    release,
    updateTrace,
  };
}
