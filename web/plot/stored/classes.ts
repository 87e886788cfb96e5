/** Whether objects of this class are points with or without errors. */
export function isGraphClass(className: string): boolean {
  return /^(TGraph(Errors|AsymmErrors|BentErrors|MultiErrors)?|TCutG)$/.test(className);
}

/** Whether an object of this class can be drawn by `modelOfObject`. */
export function isDrawableClass(className: string): boolean {
  return /^(TH[12][CSILFD]|TProfile(2D)?|TF[12])$/.test(className) || isGraphClass(className);
}
