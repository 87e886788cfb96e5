import { FileClasses, FileOverview, TreeOverview } from './info-panels';
import { type Lazy, lazy } from './lazy';
import { PlotView } from './plot-view';
import type { PageView, ViewProps } from './views';

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
    id: 'map',
    label: 'Map',
    on: ['file', 'tree'],
    component: lazy(() => import('./map-view').then(({ MapView }) => MapView)),
  },
  {
    id: 'reads',
    label: 'Reads',
    on: ['tree'],
    component: lazy(() => import('./reads-view').then(({ ReadsView }) => ReadsView)),
  },
  {
    id: 'doctor',
    label: 'Doctor',
    on: ['file', 'tree'],
    component: lazy(() => import('./doctor-view').then(({ DoctorView }) => DoctorView)),
  },
  {
    id: 'server',
    label: 'Server',
    on: ['file'],
    component: lazy(() => import('./server-view').then(({ ServerView }) => ServerView)),
  },
  {
    id: 'layout',
    label: 'Layout',
    on: ['tree'],
    component: lazy(() => import('./layout-view').then(({ LayoutView }) => LayoutView)),
  },
  {
    id: 'table',
    label: 'Table',
    on: ['tree'],
    component: lazy(() => import('./table/table-view').then(({ TableView }) => TableView)),
  },
  { id: 'classes', label: 'Classes', on: ['file'], component: FileClasses },
];

/** Loads the code of all views: then they are there without a network, too. */
export function warmViews(): void {
  PlotView.warm();
  for (const { component } of pageViews) if ('warm' in component) (component as Lazy<ViewProps>).warm();
}
