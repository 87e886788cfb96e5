import { batch, computed, signal } from '@preact/signals';
import { XylemError } from '../../base/errors';
import type { InsightReader } from '../../insight/api';
import type { WriteApi } from '../../write/api';
import type { JsrootFrame } from '../jsroot/jsroot-view';
import { createActivities } from './activities';
import { createReference } from './comparison';
import { createContentsState } from './contents-state';
import { createFileSession } from './file-session';
import { createNavigation } from './navigation';
import { createOpenFiles, type OpenFilesControl } from './open-files';
import { createPlotChoices } from './plot-choices';
import { createQueryHistory } from './query-history';
import { createSelection } from './selection';
import type { Theme, ViewerStore } from './viewer-state';

export interface ViewerOptions {
  /** Where queries are remembered; without it, only while the viewer is there. */
  storage?: Storage | undefined;
  /** Where JSROOT draws; without it, it is not offered. */
  jsroot?: JsrootFrame | undefined;
  /** Whether a script may ask for the picture of what is shown. Default: false. */
  keepsPictures?: boolean | undefined;
  /** Address that relative addresses of a link start from: that of the page. Default: that of the open file. */
  base?: string | undefined;
  /** Size of the blocks that `api` requests over http(s), as links have it. */
  align?: string | undefined;
}

/** A reader that may be able to write. */
export type ViewerReader = InsightReader & { readonly writer?: WriteApi };

/**
 * Makes the state of a viewer that reads through `api`: the file session, the contents, the selection, the
 * plot choices and the navigation by address. `dispose` aborts what is under way and closes the file.
 */
export function createViewerStore(api: ViewerReader, options: ViewerOptions = {}): ViewerStore {
  const activities = createActivities();
  const history = createQueryHistory(options.storage);
  const reference = createReference(api, activities);
  const plots = createPlotChoices();
  const session = createFileSession(api, activities, {
    clear() {
      contents.clear();
      selection.clear();
    },
    replaced: (source) => files.replaced(source),
    show: (asked) => navigation.show(asked),
  });
  const { file, pending } = session;
  const onDone = session.updateTrace;
  const contents = createContentsState(api, { file, activities, onDone });
  const selection = createSelection(api, { file, contents, plots, history, activities, pending, onDone });
  const navigation = createNavigation({
    session,
    contents,
    selection,
    plots,
    reference,
    activities,
    files: () => files,
    base: options.base,
    align: options.align,
  });
  const files: OpenFilesControl = createOpenFiles({
    state: () => navigation.shownState.peek(),
    file: () => file.peek(),
    open: session.open,
    restore: navigation.restore,
    adopt: session.adopt,
    clear: session.reset,
    release: session.release,
  });

  function reopen(): void {
    const open = file.peek();
    if (open !== null) void session.open(open.source, navigation.shownState.peek());
  }

  return {
    file,
    opening: session.opening,
    openError: session.openError,
    trees: contents.trees,
    expanded: contents.expanded,
    folded: contents.folded,
    filter: contents.filter,
    selected: selection.selected,
    selection: selection.selection,
    content: selection.pane.content,
    branchView: selection.branchView,
    view: selection.view,
    viewParams: selection.viewParams,
    settings: plots.settings,
    query: selection.query,
    branchCut: selection.branchCut,
    history,
    look: plots.look,
    way: plots.way,
    part: plots.part,
    shownPlot: plots.shownPlot,
    theme: signal<Theme>('system'),
    jsroot: options.jsroot,
    keepsPictures: options.keepsPictures === true,
    trace: session.trace,
    cache: session.cache.cache,
    keeping: session.cache.keeping,
    link: session.link,
    lastTime: session.lastTime,
    activities,
    insight: api.insight,
    writer: api.writer,
    savedReading: session.savedReading,
    reference,
    files,
    pageState: navigation.pageState,
    shownState: navigation.shownState,
    arriving: computed(() => pending.value !== null),

    open: session.open,
    retryOpen: session.retry,
    show: navigation.show,
    restore: navigation.restore,
    unfold: contents.unfold,
    readAllTrees: contents.readAllTrees,
    readSmallTrees: contents.readSmallTrees,
    setBranchView: selection.setBranchView,
    setView: selection.setView,
    cutBranch: selection.cutBranch,
    runQuery: (query, keepPlot = false) => selection.drawQuery(query, keepPlot ? 'keep' : undefined),
    setSettings: selection.setSettings,
    showEntries: selection.showEntries,
    clearCache: session.cache.clear,
    limitCache: session.cache.limit,
    keepOffline: session.cache.keepOffline,
    reopen,

    fail(error) {
      batch(() => {
        if (file.peek() !== null) files.home();
        session.reset();
        session.openError.value = error;
      });
    },

    closeFile() {
      const id = files.current.peek();
      if (id === null) session.reset();
      else files.close(id);
    },

    select(id) {
      batch(() => {
        pending.value = null;
        selection.choose(id);
      });
    },

    choosePart(path) {
      batch(() => {
        plots.part.value = path;
        plots.take(undefined);
      });
    },

    async reads() {
      const open = file.peek();
      return open === null ? [] : await api.trace(open.info.id);
    },

    async call(slot, label, run) {
      const open = file.peek();
      if (open === null) throw new XylemError({ code: 'ARGUMENT', message: 'No file is open.' });
      const since = performance.now();
      try {
        return await activities.run(slot, label, (callOptions) => run(api, open.info.id, callOptions));
      } finally {
        void session.updateTrace(since);
      }
    },

    reload() {
      const failed = selection.pane.content.peek();
      if (failed.kind === 'failed' && failed.error.code === 'FILE_CHANGED') reopen();
      else selection.refill();
    },

    dispose() {
      reference.close();
      session.reset();
      files.dispose();
      contents.dispose();
    },
  };
}
