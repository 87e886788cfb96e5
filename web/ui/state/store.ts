import { signal } from '@preact/signals';
import type { Host } from '../../../workers/host';
import type { WriteApi } from '../../api/write';
import { unsupported } from '../../base/data-errors';
import { filledSlot } from '../../base/slot';
import * as features from '../../features/reader';
import type { ReaderPart } from '../../features/work-part';
import type { InsightReader, PageInsight } from '../../insight/api';
import type { SelectorPlace } from '../embed/selector-place';
import type { JsrootFrame, JsrootScript } from '../object/jsroot-place';
import { createActivities } from './activities';
import { createContentsState } from './contents-state';
import { createFileSession, createShownFile } from './file-session';
import { createJobs } from './jobs';
import { createNavigation } from './navigation';
import { createOpenFiles, createTabs } from './open-files';
import { createPlotChoices } from './plot-choices';
import { createQueryHistory, type KeptQueries } from './query-history';
import { createSelection } from './selection';
import { createTraffic } from './traffic';
import type { Theme, ViewerStore } from './viewer-state';

export interface ViewerOptions extends Partial<Pick<ViewerStore, 'offers'>> {
  /** Stores queries. Without it, they last as long as the viewer. */
  queries?: KeptQueries | undefined;
  /** Saves files. Without it, no file can be saved. */
  sink?: Host['sink'] | undefined;
  /** Where JSROOT draws. Without it, JSROOT is not offered. */
  jsroot?: string | JsrootScript | JsrootFrame | undefined;
  /** Where selectors are written and run. Without it, they are not offered. */
  selectors?: SelectorPlace | undefined;
  /** Whether a script may ask for the picture of the plot. Default: false. */
  keepsPictures?: boolean | undefined;
  /** Base of relative addresses in a link: the address of the page. Default: the address of the open file. */
  base?: string | undefined;
  /** Block size of requests of `api` over http(s), as in links. */
  align?: string | undefined;
}

/** Called when a viewer is disposed of. */
type Disposal = () => void;

/** A reader that may be able to write. */
export type ViewerReader = InsightReader & { readonly writer?: WriteApi };

/**
 * Creates the state of a viewer that reads through `api`. Each part uses those before it: the file and what was read
 * of it, the contents, the selection, the conversion to and from an address, the session that opens files, and the
 * list of those.
 */
export function createViewerStore(api: ViewerReader, options: ViewerOptions = {}): ViewerStore {
  const activities = createActivities();
  const jobs = createJobs(activities);
  const history = createQueryHistory(options.queries);
  const shown = createShownFile();
  const tabs = createTabs();
  const plot = createPlotChoices();
  const disposals: Disposal[] = [];
  const { file, pending } = shown;
  const traffic = createTraffic(api, { file, activities });
  const onDone = traffic.count;
  const contents = createContentsState(api, { file, activities, onDone });
  const selection = createSelection(api, { file, contents, plot, history, activities, pending, onDone });
  const { base, align } = options;
  const places = { shown, tabs, contents, selection, plot, activities };
  const navigation = createNavigation({ ...places, base, align });
  const session = createFileSession(api, { ...places, jobs, traffic, navigation });
  const files = createOpenFiles(tabs, session, navigation);

  return {
    ...{ session, files, contents, selection, plot, navigation, traffic, activities, jobs, history },
    theme: signal<Theme>('system'),
    rows: signal(undefined),
    report: signal(undefined),
    awaited: signal(undefined),
    jsroot: options.jsroot,
    selectors: options.selectors,
    offers: options.offers,
    keepsPictures: options.keepsPictures === true,
    // Every insight has these calls. The library's type leaves out those that only the page makes.
    insight: api.insight as PageInsight,
    // Without a writer in this build the page has no buttons that need one.
    writer: filledSlot<ReaderPart, 'writer'>(features, 'writer') && api.writer,
    sink: options.sink ?? savesNothing,
    onDispose: (action) => disposals.push(action),
    dispose() {
      for (const action of disposals) action();
      session.reset();
      files.dispose();
      contents.dispose();
    },
  };
}

function savesNothing(): Promise<never> {
  return Promise.reject(unsupported('This viewer saves no files.'));
}
