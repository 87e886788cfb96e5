import { FileClasses, FileOverview, TreeOverview } from './panels/info-panels';
import type { PageView } from './view-tabs';
import { lazy } from './widgets/lazy';

/** All views, in the order of their tabs. */
export const pageViews: readonly PageView[] = [
  {
    id: 'overview',
    label: 'Overview',
    on: ['file', 'tree'],
    component: (props) =>
      props.tree === undefined ? <FileOverview {...props} /> : <TreeOverview {...props} />,
  },
  {
    id: 'draw',
    label: 'Draw',
    on: ['tree'],
    component: lazy(() => import('./query/query-view').then(({ QueryView }) => QueryView)),
  },
  {
    id: 'all',
    label: 'All files',
    on: ['tree'],
    chain: true,
    component: lazy(() => import('./chain/chain').then(({ AllFiles }) => AllFiles)),
  },
  {
    id: 'dataset',
    label: 'Compare files',
    on: ['tree'],
    chain: true,
    component: lazy(() => import('./chain/chain').then(({ DatasetView }) => DatasetView)),
  },
  {
    id: 'map',
    label: 'Map',
    on: ['file', 'tree'],
    component: lazy(() => import('./map/map-view').then(({ MapView }) => MapView)),
  },
  {
    id: 'reads',
    label: 'Reads',
    on: ['tree'],
    component: lazy(() => import('./diagnose/reads-view').then(({ ReadsView }) => ReadsView)),
  },
  {
    id: 'doctor',
    label: 'Doctor',
    on: ['file', 'tree'],
    component: lazy(() => import('./diagnose/doctor-view').then(({ DoctorView }) => DoctorView)),
  },
  {
    id: 'server',
    label: 'Server',
    on: ['file'],
    component: lazy(() => import('./diagnose/server-view').then(({ ServerView }) => ServerView)),
  },
  {
    id: 'layout',
    label: 'Layout',
    on: ['tree'],
    component: lazy(() => import('./diagnose/layout-view').then(({ LayoutView }) => LayoutView)),
  },
  {
    id: 'table',
    label: 'Table',
    on: ['tree'],
    component: lazy(() => import('./table/table-view').then(({ TableView }) => TableView)),
  },
  {
    id: 'save',
    label: 'Save',
    on: ['file'],
    component: lazy(() => import('./save/save-view').then(({ SaveView }) => SaveView)),
  },
  { id: 'classes', label: 'Classes', on: ['file'], component: FileClasses },
];
