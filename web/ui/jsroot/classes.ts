/** Classes that xylem cannot draw itself and that users open files for: JSROOT draws them at once. */
const drawings =
  /^(T(Canvas|Pad|H3[CSIFDL]|H2Poly|Profile2Poly|Profile3D|HStack|MultiGraph|Graph2D\w*|F3|Efficiency|Spline[35]?|Geo\w+|PolyMarker3D|PolyLine3D|ASImage|Legend|PaveText|Latex|Arrow|Line|Box|Ellipse|GraphPolar\w*|Scatter|Pie|Ratio\w*)|RooPlot)$/;

/** Whether a class is a drawing by nature. */
export function isDrawing(className: string): boolean {
  return drawings.test(className);
}
