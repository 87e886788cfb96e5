import { describe, expect, it } from 'vitest';
import type { PlainObject, PlainValue } from '../../../web/api/api';
import { canvasPicture } from '../../../web/features/pads/work/canvas';
import { drawingSvg } from '../../../web/plot/drawing/drawing';

describe('hostile canvases', () => {
  const pad = (members: { [name: string]: PlainValue }): PlainObject => ({
    _typename: 'TPad',
    fName: 'pad',
    ...{ fX1: 0, fY1: 0, fX2: 1, fY2: 1, fXlowNDC: 0, fYlowNDC: 0, fWNDC: 1, fHNDC: 1 },
    ...members,
  });
  const line = (value: number): PlainObject => ({
    _typename: 'TLine',
    fX1: 0,
    fY1: 0,
    fX2: value,
    fY2: 1,
    fLineWidth: 1,
    fLineColor: 1,
  });
  const list = (arr: PlainValue[]): PlainObject => ({ _typename: 'TList', arr, opt: arr.map(() => '') });

  it('that hold themselves say so', () => {
    const own: PlainValue[] = [];
    const inner = pad({ $id: 7, fName: 'inner', fPrimitives: list(own) });
    own.push({ $ref: 7 }, line(1));
    const { missing, drawing } = canvasPicture(pad({ fPrimitives: list([inner]) }), new Map());
    expect(missing).toEqual(['the pad inner, which holds itself']);
    expect(drawing.shapes.length).toBeGreaterThan(0);
  });

  it('of many pads within pads end', () => {
    let deep = pad({ fPrimitives: list([line(1)]) });
    for (let i = 0; i < 90; i++) deep = pad({ fPrimitives: list([deep]) });
    expect(canvasPicture(deep, new Map()).missing).toHaveLength(1);
  });

  it('of 100,000 lines are drawn as far as a picture goes, and say so', () => {
    const many = Array.from({ length: 100_000 }, () => line(1));
    const start = performance.now();
    const { missing, drawing } = canvasPicture(pad({ fPrimitives: list(many) }), new Map());
    expect(performance.now() - start).toBeLessThan(3000);
    expect(drawing.shapes).toHaveLength(20_000);
    expect(missing[0]).toMatch(/beyond 20000 objects/);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e308, -1e308])(
    'with the coordinate %f have a picture of numbers',
    (value) => {
      const object = pad({ fX2: value, fUxmax: value, fPrimitives: list([line(value), line(1)]) });
      const { drawing } = canvasPicture(object, new Map());
      expect(drawingSvg(drawing)).not.toMatch(/NaN|undefined|Infinity/);
    },
  );

  it('with other things where members should be have a picture, too', () => {
    const odd: PlainValue[] = [
      null,
      'text',
      5,
      [],
      { _typename: 'TLegend', fPrimitives: 5 },
      { _typename: 'TH1F' },
      { _typename: 'TGraph', fX: 'x' },
    ];
    const kinds = [
      'TPaveText',
      'TEllipse',
      'TArrow',
      'TPolyLine',
      'TMarker',
      'TLatex',
      'TBox',
      'THStack',
      'TMultiGraph',
      'TEfficiency',
      'TF1',
      'TH2Poly',
    ];
    const { drawing, missing } = canvasPicture(
      pad({ fPrimitives: list([...odd, ...kinds.map((_typename) => ({ _typename }))]) }),
      new Map(),
    );
    expect(drawingSvg(drawing)).not.toMatch(/NaN|undefined|Infinity/);
    expect(missing.length).toBeGreaterThan(3);
  });

  it('with markup and long titles have it as text', () => {
    const title = `<script>alert(1)</script>${'#frac{'.repeat(3000)}`;
    const text: PlainObject = { _typename: 'TLatex', fTitle: title, fX: 0.5, fY: 0.5, fTextSize: 1e9 };
    const svg = drawingSvg(
      canvasPicture(pad({ fTitle: title, fPrimitives: list([text]) }), new Map()).drawing,
    );
    expect(svg).not.toContain('<script');
    expect(svg.length).toBeLessThan(100_000);
  });
});
