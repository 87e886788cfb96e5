// The parts around a panel, which a plot that is shown alone does not have.

export { StatusLine } from '../widgets/status-line';
export { Contents } from './contents';
