// Names and titles are as they are stored: see latex.ts.
export { number, numbers, record, text as label } from '../../model/plain-members';
