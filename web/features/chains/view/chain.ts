/* All code for lists of files, which is loaded when one is opened. */

export { AllFiles } from './all-files';
export { ChainNote } from './chain-note';
export { ListedFiles } from './listed-files';
