/* All code for lists of files, which is loaded when one is opened. */
export { AllFiles } from './all-files';
export { chainOf, namedApart, openFirst } from './chain-list';
export { ChainNote } from './chain-note';
export { DatasetView } from './dataset-view';
export { ListedFiles } from './listed-files';
