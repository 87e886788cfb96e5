import { FileClasses, FileOverview, TreeOverview } from './info-panels';
import { LayoutView } from './layout-view';
import { MapView } from './map-view';
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
  { id: 'map', label: 'Map', on: ['file', 'tree'], component: MapView },
  { id: 'layout', label: 'Layout', on: ['tree'], component: LayoutView },
  { id: 'table', label: 'Table', on: ['tree'], component: TableView },
  { id: 'classes', label: 'Classes', on: ['file'], component: FileClasses },
];
