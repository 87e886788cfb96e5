/** Classes that xylem cannot draw and that users open files for. They are drawn by JSROOT at once. */
const DRAWINGS =
  /^(T(Canvas|Pad|H3[CSIFDL]|H2Poly|Profile2Poly|Profile3D|HStack|MultiGraph|Graph2D\w*|F3|Efficiency|Spline[35]?|Geo\w+|PolyMarker3D|PolyLine3D|ASImage|Legend|PaveText|Latex|Arrow|Line|Box|Ellipse|GraphPolar\w*|Scatter|Pie|Ratio\w*)|RooPlot)$/;

/** All other classes in JSROOT's table of drawings (draw.mjs), without those that need a tree or a server. */
const OTHERS =
  /^(?!TGraph(Struct|Node|Edge)$)(T(Slider|Button|InspectCanvas|Frame|Paves?(Text|Stats|Label|Class)?|Diamond|PaletteAxis|Text|MathText|Link|Annotation|H[123]\w+|Profile(2D|3D)?|Graph\w*|CutG|F12?|F2|Arc|Crown|PolyLine|Curly(Line|Arc)|Gaxis|Wbox|SliderBox|Marker|PolyMarker|Axis3D|EveGeoShapeExtract)|Roo(Hist|Curve|Ellipse)\w*)$/;

/** Whether JSROOT draws objects of this class. */
export function isDrawnByJsroot(className: string): boolean {
  return isDrawing(className) || OTHERS.test(className);
}

/** Whether objects of a class are shown as a drawing by default. */
export function isDrawing(className: string): boolean {
  return DRAWINGS.test(className);
}
