import { isGraphClass } from '../../export/bins/stored-graph';

export { isGraphClass };

/** Whether an object of this class can be drawn by `modelOfObject`. */
export function isDrawableClass(className: string): boolean {
  return /^(TH[12][CSILFD]|TProfile(2D)?|TF[12])$/.test(className) || isGraphClass(className);
}
