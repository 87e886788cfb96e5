import { isWallKey } from '../features/walls/work/items';
import { FileClasses, FileOverview, TreeOverview } from './panels/info-panels';
import type { OpenFile } from './state/viewer-state';
import { type OWN_VIEWS, VIEWS } from './state/views';
import type { PageView, ViewProps } from './view-tabs';
import { lazy } from './widgets/lazy';

const withPlots = new WeakMap<OpenFile, boolean>();

function hasPlots(open: OpenFile): boolean {
  const has = withPlots.get(open) ?? open.keyTree.keys.some(isWallKey);
  withPlots.set(open, has);
  return has;
}

/** The code of each view that is not a verb. */
const CODE: Record<keyof typeof OWN_VIEWS, Pick<PageView, 'when' | 'component'>> = {
  overview: {
    component: (props) =>
      props.tree === undefined ? <FileOverview {...props} /> : <TreeOverview {...props} />,
  },
  draw: {
    component: lazy(() => import('./query/query-view').then(({ QueryView }) => QueryView)),
  },
  table: {
    component: lazy(() => import('./table/table-view').then(({ TableView }) => TableView)),
  },
  wall: {
    when: (open, place) => place === 'tree' || hasPlots(open),
    component: lazy(() => import('../features/walls/view/wall-view').then(({ WallView }) => WallView)),
  },
  all: {
    component: lazy(() => import('../features/chains/view/chain').then(({ AllFiles }) => AllFiles)),
  },
  dataset: {
    component: lazy(() =>
      import('../features/dataset/view/dataset-view').then(({ DatasetView }) => DatasetView),
    ),
  },
  selector: {
    component: lazy(() =>
      import('../features/selectors/view/selector-view').then(({ SelectorView }) => SelectorView),
    ),
  },
  save: {
    component: lazy(() => import('../features/writer/view/save-view').then(({ SaveView }) => SaveView)),
  },
  map: {
    component: lazy(() => import('../features/map/view/map-view').then(({ MapView }) => MapView)),
  },
  reads: {
    component: lazy(() => import('../features/reads/view/reads-view').then(({ ReadsView }) => ReadsView)),
  },
  layout: {
    component: lazy(() => import('../features/doctor/view/layout-view').then(({ LayoutView }) => LayoutView)),
  },
  doctor: {
    component: lazy(() => import('../features/doctor/view/doctor-view').then(({ DoctorView }) => DoctorView)),
  },
  fleet: {
    component: lazy(() => import('../features/fleet/view/fleet-view').then(({ FleetView }) => FleetView)),
  },
  server: {
    component: lazy(() => import('../features/probe/view/server-view').then(({ ServerView }) => ServerView)),
  },
  classes: {
    component: FileClasses,
  },
};

/** All views, in the order of their tabs. */
export const pageViews: readonly PageView[] = Object.entries(VIEWS).map(([id, view]) => ({
  id,
  ...view,
  ...(Object.hasOwn(CODE, id) ? CODE[id as keyof typeof CODE] : codeOfVerb(id)),
}));

function codeOfVerb(id: string): Pick<PageView, 'component'> {
  const component = lazy(async () => {
    const { VerbView } = await import('./report/verb-view');
    return (props: ViewProps) => <VerbView {...props} id={id} />;
  });
  return { component };
}
