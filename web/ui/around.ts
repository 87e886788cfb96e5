// The parts around a file: the bar on top, the open files, and the pane before a file is open.
export { FileTabs } from './file-tabs';
export { StartPane } from './start-pane';
export { TopBar } from './top-bar';
