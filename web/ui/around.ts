// Around a file: the bar on top, the open files, and what is shown before a file is open.
export { FileTabs } from './file-tabs';
export { StartPane } from './start-pane';
export { TopBar } from './top-bar';
