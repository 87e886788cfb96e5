/** Classes that xylem cannot draw and that users open files for. They are drawn by JSROOT at once. */
const DRAWINGS =
  /^(T(Canvas|Pad|H3[CSIFDL]|H2Poly|Profile2Poly|Profile3D|HStack|MultiGraph|Graph2D\w*|F3|Efficiency|Spline[35]?|Geo\w+|PolyMarker3D|PolyLine3D|ASImage|Legend|PaveText|Latex|Arrow|Line|Box|Ellipse|GraphPolar\w*|Scatter|Pie|Ratio\w*)|RooPlot)$/;

/** Whether objects of a class are shown as a drawing by default. */
export function isDrawing(className: string): boolean {
  return DRAWINGS.test(className);
}
