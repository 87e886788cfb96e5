import { isWallKey } from '../plot/wall/items';
import { pageVerbs } from '../verbs/page';
import { FileClasses, FileOverview, TreeOverview } from './panels/info-panels';
import type { OpenFile } from './state/viewer-state';
import type { PageView } from './view-tabs';
import { lazy } from './widgets/lazy';

const withPlots = new WeakMap<OpenFile, boolean>();

function hasPlots(open: OpenFile): boolean {
  const has = withPlots.get(open) ?? open.keyTree.keys.some(isWallKey);
  withPlots.set(open, has);
  return has;
}

/** All views in the order of their tabs: views of contents, then views of how these are stored. */
export const pageViews: readonly PageView[] = [
  {
    id: 'overview',
    label: 'Overview',
    words: 'facts size entries summary',
    on: ['file', 'tree'],
    component: (props) =>
      props.tree === undefined ? <FileOverview {...props} /> : <TreeOverview {...props} />,
  },
  {
    id: 'draw',
    label: 'Draw',
    words: 'expression query cut plot histogram TTree::Draw',
    on: ['tree'],
    component: lazy(() => import('./query/query-view').then(({ QueryView }) => QueryView)),
  },
  {
    id: 'table',
    label: 'Table',
    words: 'entries rows values scan export csv parquet',
    on: ['tree'],
    component: lazy(() => import('./table/table-view').then(({ TableView }) => TableView)),
  },
  {
    id: 'wall',
    label: 'Wall',
    words: 'gallery histograms small multiples dqm plots',
    on: ['file', 'tree'],
    when: (open, place) => place === 'tree' || hasPlots(open),
    component: lazy(() => import('./wall/wall-view').then(({ WallView }) => WallView)),
  },
  {
    id: 'all',
    label: 'All files',
    words: 'chain list combine',
    on: ['tree'],
    chain: true,
    component: lazy(() => import('./chain/chain').then(({ AllFiles }) => AllFiles)),
  },
  {
    id: 'dataset',
    label: 'Compare files',
    words: 'diff missing branches',
    on: ['tree'],
    chain: true,
    component: lazy(() => import('./chain/chain').then(({ DatasetView }) => DatasetView)),
  },
  {
    id: 'selector',
    label: 'Selector',
    words: 'code process loop TSelector analysis javascript',
    on: ['tree'],
    when: (_open, _place, store) => store.selectors !== undefined,
    component: lazy(() => import('./selector/selector-view').then(({ SelectorView }) => SelectorView)),
  },
  {
    id: 'save',
    label: 'Save',
    words: 'merge hadd salvage write',
    on: ['file'],
    component: lazy(() => import('./save/save-view').then(({ SaveView }) => SaveView)),
  },
  {
    id: 'map',
    label: 'Map',
    words: 'bytes places baskets',
    group: 'inspect',
    on: ['file', 'tree'],
    component: lazy(() => import('./map/map-view').then(({ MapView }) => MapView)),
  },
  {
    id: 'reads',
    label: 'Reads',
    words: 'requests performance TTreePerfStats cost',
    group: 'inspect',
    on: ['tree'],
    component: lazy(() => import('./diagnose/reads-view').then(({ ReadsView }) => ReadsView)),
  },
  {
    id: 'layout',
    label: 'Layout',
    words: 'compression size baskets clusters treemap',
    group: 'inspect',
    on: ['tree'],
    component: lazy(() => import('./diagnose/layout-view').then(({ LayoutView }) => LayoutView)),
  },
  {
    id: 'doctor',
    label: 'Doctor',
    words: 'heal repair slow problems',
    group: 'inspect',
    on: ['file', 'tree'],
    component: lazy(() => import('./diagnose/doctor-view').then(({ DoctorView }) => DoctorView)),
  },
  {
    id: 'fleet',
    label: 'Fleet',
    words: 'grid jobs sites push pull simulate cache XCache',
    group: 'inspect',
    on: ['tree'],
    component: lazy(() => import('./diagnose/fleet-view').then(({ FleetView }) => FleetView)),
  },
  {
    id: 'server',
    label: 'Server',
    words: 'probe ranges cors http',
    group: 'inspect',
    on: ['file'],
    component: lazy(() => import('./diagnose/server-view').then(({ ServerView }) => ServerView)),
  },
  ...Object.entries(pageVerbs).map(
    ([id, { label, words, on }]): PageView => ({
      id,
      label,
      words,
      group: 'inspect',
      on,
      component: lazy(async () => {
        const { VerbView } = await import('./report/verb-view');
        return (props) => <VerbView {...props} id={id} />;
      }),
    }),
  ),
  {
    id: 'classes',
    label: 'Classes',
    words: 'streamers types members',
    group: 'inspect',
    on: ['file'],
    component: FileClasses,
  },
];
