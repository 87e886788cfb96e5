import { DoctorView } from './doctor-view';
import { FileClasses, FileOverview, TreeOverview } from './info-panels';
import { LayoutView } from './layout-view';
import { MapView } from './map-view';
import { QueryView } from './query/query-view';
import { ReadsView } from './reads-view';
import { ServerView } from './server-view';
import { TableView } from './table/table-view';
import type { PageView } from './views';

/** All views, in the order of their tabs. */
export const pageViews: readonly PageView[] = [
  {
    id: 'overview',
    label: 'Overview',
    on: ['file', 'tree'],
    component: (props) =>
      props.tree === undefined ? <FileOverview {...props} /> : <TreeOverview {...props} />,
  },
  { id: 'draw', label: 'Draw', on: ['tree'], component: QueryView },
  { id: 'map', label: 'Map', on: ['file', 'tree'], component: MapView },
  { id: 'reads', label: 'Reads', on: ['tree'], component: ReadsView },
  { id: 'doctor', label: 'Doctor', on: ['file', 'tree'], component: DoctorView },
  { id: 'server', label: 'Server', on: ['file'], component: ServerView },
  { id: 'layout', label: 'Layout', on: ['tree'], component: LayoutView },
  { id: 'table', label: 'Table', on: ['tree'], component: TableView },
  { id: 'classes', label: 'Classes', on: ['file'], component: FileClasses },
];
