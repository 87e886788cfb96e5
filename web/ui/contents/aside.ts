// The parts around a panel. A viewer that shows only a plot does not have them.

export { StatusLine } from '../widgets/status-line';
export { Contents } from './contents';
