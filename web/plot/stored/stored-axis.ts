import type { PlainValue } from '../../api/api';
import { storedAxis } from '../../bins/stored-axes';
import { type DrawnAxis, drawnAxis } from '../drawing/drawn-axis';
import { type TimeAxis, timeAxisOf } from '../drawing/time-axis';
import { label } from './members';

/** Returns a stored axis for drawing; undefined if its members are not valid. */
export function axis(value: PlainValue | undefined): DrawnAxis | undefined {
  const stored = storedAxis(value);
  return stored && drawnAxis(stored);
}

/** Returns how a stored axis shows times; undefined if it shows numbers. */
export function timeOf(axis: { [member: string]: PlainValue } | undefined): TimeAxis | undefined {
  return axis?.fTimeDisplay === true ? timeAxisOf(label(axis.fTimeFormat)) : undefined;
}
