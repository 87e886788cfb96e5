import { describe, expect, it } from 'vitest';
import { layFrame } from '../../web/plot/drawing/frame';
import { noteShapes, placeNotes } from '../../web/plot/drawing/notes';
import { formatNotes, MAX_NOTES, noteText, type PlotNote, parseNotes } from '../../web/plot/look/notes';
import type { AnyPlot } from '../../web/plot/model';
import { plotSvg } from '../../web/plot/svg';

const area = { left: 0, right: 600, top: 0, bottom: 400 };
const frameOf = (x: [number, number], y: [number, number], log = { x: false, y: false }) =>
  layFrame(area, { range: x, log: log.x, title: '' }, { range: y, log: log.y, title: '' });
const counts: AnyPlot = {
  ...{ kind: 'bins', mark: 'steps', title: 'mass', xTitle: '', yTitle: '', stats: [] },
  ...{ edges: Float64Array.of(0, 10, 20, 30), values: Float64Array.of(4, 9, 2) },
};

describe('the text of notes', () => {
  it('comes back as it was', () => {
    const notes: PlotNote[] = [
      { x: 91.1876, y: -4e-300, text: 'Z^{0}: a peak > 5, "real" & <b>' },
      { x: 1e300, y: 0, text: '#mu#mu', to: [-0.5, 12] },
    ];
    expect(parseNotes(formatNotes(notes))).toEqual(notes);
  });

  it.each([
    '',
    'text',
    '1: one number',
    '1,2,3: three',
    '1,2:',
    '1,2:  ',
    '1,x: a word',
    '1,Infinity: endless',
    '1,NaN: none',
    ',2: empty',
    '1,2>3: half a point',
    '1,2>3,4>5,6: two points',
    '1,2: good\n3: bad',
    '1,2: good\n',
    `1,2: ${'x'.repeat(301)}`,
    Array.from({ length: MAX_NOTES + 1 }, () => '1,2: a').join('\n'),
  ])('is refused as a whole: %s', (text) => {
    expect(parseNotes(text)).toBeUndefined();
  });

  it('has one line, also when several were typed', () => {
    expect(noteText('  two\n\tlines  ')).toBe('two lines');
    expect(parseNotes(`1,2: ${noteText('a\n3,4: b')}`)).toEqual([{ x: 1, y: 2, text: 'a 3,4: b' }]);
    expect(noteText('x'.repeat(400))).toHaveLength(300);
  });
});

describe('the place of a note', () => {
  it('follows the axes, also logarithmic ones', () => {
    const note = { x: 10, y: 100, text: 'here' };
    for (const frame of [
      frameOf([0, 100], [0, 1000]),
      frameOf([5, 40], [50, 150]),
      frameOf([1, 1000], [1, 10000], { x: true, y: true }),
    ]) {
      const [placed] = placeNotes([note], frame);
      expect(placed).toBeDefined();
      if (placed === undefined) continue;
      expect(frame.x.toValue(placed.left + placed.width / 2)).toBeCloseTo(10, 6);
      expect(frame.y.toValue(placed.top + placed.height / 2)).toBeCloseTo(100, 6);
    }
  });

  it('is nowhere outside the visible part, and where a logarithmic axis has no value', () => {
    expect(placeNotes([{ x: 200, y: 5, text: 'a' }], frameOf([0, 100], [0, 10]))).toEqual([]);
    const log = frameOf([1, 100], [1, 10], { x: true, y: true });
    expect(placeNotes([{ x: 0, y: 5, text: 'a' }], log)).toEqual([]);
    expect(placeNotes([{ x: 10, y: -1, text: 'a' }], log)).toEqual([]);
    expect(placeNotes([{ x: 10, y: 5, text: 'a', to: [-1, 5] }], log)).toEqual([]);
  });

  it('stays in the frame while its point is seen', () => {
    const frame = frameOf([0, 100], [0, 10]);
    const [placed] = placeNotes([{ x: 500, y: 50, text: 'far away', to: [50, 5] }], frame);
    expect(placed).toMatchObject({ index: 0, to: { x: frame.x.toPixel(50), y: frame.y.toPixel(5) } });
    expect((placed?.left ?? 0) + (placed?.width ?? 0)).toBe(frame.box.right);
    expect(placed?.top).toBe(frame.box.top);
  });

  it('has lines for a long text, which stay in the frame', () => {
    const frame = frameOf([0, 100], [0, 10]);
    const [placed] = placeNotes([{ x: 0, y: 0, text: 'long words '.repeat(20) }], frame);
    expect(placed?.lines.length).toBeGreaterThan(2);
    expect(placed?.left).toBe(frame.box.left);
    expect((placed?.top ?? 0) + (placed?.height ?? 0)).toBe(frame.box.bottom);
  });
});

describe('the picture', () => {
  it('has text as TLatex, escaped, and an arrow that ends at the point', () => {
    const notes = parseNotes('20,7>15,9: #mu<script>alert(1)</script>') ?? [];
    const svg = plotSvg(counts, { notes });
    expect(svg).toContain('μ&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(svg).not.toContain('<script');
    const plain = plotSvg(counts);
    const heads = (text: string) => [
      ...text.matchAll(/<path d="M[\d.]+ [\d.]+L([\d.]+ [\d.]+)L[\d.]+ [\d.]+Z"/g),
    ];
    expect(heads(plain)).toEqual([]);
    expect(heads(svg)).toHaveLength(1);
  });

  it('of a map and of points has them, too, and of none is as before', () => {
    const notes: PlotNote[] = [{ x: 15, y: 3, text: 'a note', to: [16, 4] }];
    const edges = Float64Array.of(0, 10, 20, 30);
    const base = { title: '', xTitle: '', yTitle: '', stats: [] };
    const map: AnyPlot = {
      ...{ ...base, kind: 'map', zTitle: '', xEdges: edges, yEdges: Float64Array.of(0, 5, 10) },
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
    };
    const graph: AnyPlot = {
      ...{ ...base, kind: 'graph', x: Float64Array.of(1, 30), y: Float64Array.of(1, 9) },
    };
    for (const plot of [counts, map, graph]) {
      expect(plotSvg(plot, { notes })).toContain('>a note<');
      expect(plotSvg(plot, { notes: [] })).toBe(plotSvg(plot));
    }
  });

  it('has no arrow to a point below its own text', () => {
    const frame = frameOf([0, 100], [0, 10]);
    const kinds = noteShapes([{ x: 50, y: 5, text: 'wide text', to: [50, 5] }], frame).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(['path', 'text']);
  });
});
