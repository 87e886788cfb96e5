import type { KeyInfo } from '../../api/api';
import { isGraphClass } from '../../bins/stored-graph';

export { isGraphClass };

/** Whether an object of this class can be drawn by `modelOfObject`. */
export function isDrawableClass(className: string): boolean {
  return (
    /^(TH[12][CSILFD]|TProfile(2D)?|TF[12])$/.test(className) ||
    isGraphClass(className) ||
    isFurtherClass(className)
  );
}

/** Whether this is the class of a histogram or profile with one axis. */
export function isBinsClass(className: string): boolean {
  return /^(TH1[CSILFD]|TProfile)$/.test(className);
}

/** Whether this is the class of a canvas. */
export function isCanvasClass(className: string): boolean {
  return className === 'TCanvas' || className === 'TPad';
}

/** Whether the object of a key is a plot: a histogram, a graph, a function or a canvas. */
export function isPlotKey({ kind, className }: Pick<KeyInfo, 'kind' | 'className'>): boolean {
  return kind === 'histogram' || kind === 'graph' || isDrawableClass(className) || isCanvasClass(className);
}

/** Whether this is the class of a canvas or of an object of canvases, which `canvasPicture` draws as ROOT does. */
export function isPictureClass(className: string): boolean {
  return /^(RooPlot|T(Canvas|Pad|Line|W?box|Box|Text|Latex|MathText|Pave|Paves?Text|Pave(Stats|Label)|Legend|Arrow|Ellipse|Arc|Crown|Curly(Line|Arc)|Marker|PolyMarker|PolyLine|Gaxis))$/.test(
    className,
  );
}

/** Whether drawing the class needs code that is loaded on demand: see `loadKinds`. */
export function isFurtherClass(className: string): boolean {
  return (
    /^(THStack|TMultiGraph|TEfficiency|TSpline[35]|TGraph2D(Asymm)?(Errors)?|T(H2|Profile2)Poly|TMatrixT(Sym)?<.*>|TVectorT<.*>)$/.test(
      className,
    ) || hasManyAxes(className)
  );
}

/** Whether a class has three or more axes. Its projections are drawn. */
export function hasManyAxes(className: string): boolean {
  return /^(TH3[CSILFD]|TProfile3D|THn(Sparse)?T<.*>)$/.test(className);
}

/** Histograms and functions of two axes, which are drawn by their cells, as contours, or as candles. */
export function isMapClass(className: string): boolean {
  return /^(TH2[CSILFD]|TProfile2D|TF2)$/.test(className);
}
