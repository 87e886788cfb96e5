/* All code for lists of files, which is loaded when one is opened. */

export { chainOf, namedApart, openFirst } from '../../../ui/state/chain-list';
export { AllFiles } from './all-files';
export { ChainNote } from './chain-note';
export { ListedFiles } from './listed-files';
