import { describe, expect, it } from 'vitest';
import type { Shape } from '../../web/plot/drawing/drawing';
import { frameShapes, layFrame } from '../../web/plot/drawing/frame';
import { titleLines, titleWidth } from '../../web/plot/drawing/latex';
import { numberTicks } from '../../web/plot/drawing/ticks';
import { uniformEdges } from '../../web/plot/model';

describe('numberTicks', () => {
  it.each([
    // As ROOT 6.40 writes them: 200, 400, … and ×10³ at the end of the axis.
    [0, 1e6, 5, ['0', '200', '400', '600', '800', '1000'], '×10³'],
    [0, 25_000, 5, ['0', '5000', '10000', '15000', '20000', '25000'], undefined],
    [0, 1e-9, 5, ['0', '0.2', '0.4', '0.6', '0.8', '1.0'], '×10⁻⁹'],
    [-3e5, 3e5, 3, ['−200', '0', '200'], '×10³'],
    [356_000, 356_100, 5, ['0', '20', '40', '60', '80', '100'], '+ 356,000'],
    [1e15, 1e15 + 5, 5, ['0', '1', '2', '3', '4', '5'], '+ 10¹⁵'],
    [-1e15 - 5, -1e15, 5, ['95', '96', '97', '98', '99', '100'], '− 1.0000000000001×10¹⁵'],
    [362_758, 362_762, 4, ['58', '59', '60', '61', '62'], '+ 362,700'],
    [1.7e18 + 3e9, 1.7e18 + 8e9, 5, ['3000', '4000', '5000', '6000', '7000', '8000'], '×10⁶ + 1.7×10¹⁸'],
    [91.18755, 91.18765, 5, ['91.18756', '91.18758', '91.18760', '91.18762', '91.18764'], undefined],
    [91.1876251, 91.1876259, 4, ['5.2', '5.4', '5.6', '5.8'], '×10⁻⁶ + 91.18762'],
  ])('from %d to %d names one power of ten once', (low, high, count, labels, factor) => {
    const ticks = numberTicks(low, high, count);
    expect(ticks.labels).toEqual(labels);
    expect(ticks.factor).toBe(factor);
    for (const value of ticks.values)
      expect(value >= low - 1e-6 * (high - low) && value <= high + 1e-6 * (high - low)).toBe(true);
  });
});

type Text = Shape & { kind: 'text' };

const textsOf = (shapes: Shape[]): Text[] =>
  shapes.filter((one): one is Text => one.kind === 'text' && one.text !== '');

describe('names of bins', () => {
  it.each([5, 12, 60, 300].flatMap((count) => [360, 768, 1440].map((width) => [count, width] as const)))(
    '%d in %d pixels do not collide, and none is cut at its end',
    (count, width) => {
      const labels = Array.from({ length: count }, (_, i) => `HLT_path_with_a_name_${i}_v${i % 7}`);
      const edges = uniformEdges(count, 0, count);
      const frame = layFrame(
        { left: 6, right: width, top: 10, bottom: 400 },
        { range: [0, count], log: false, title: '', names: { edges, labels } },
        { range: [0, 1], log: false, title: '' },
      );
      const below = textsOf(frameShapes(frame)).filter(({ y }) => y > frame.box.bottom + 5);
      expect(below.length).toBeGreaterThan(3);
      const [first] = below;
      const sin = Math.sin((Math.abs(first?.angle ?? 0) * Math.PI) / 180);
      below.forEach((one, i) => {
        const next = below[i + 1];
        // Texts that are turned keep the height of a line between them, others their widths.
        const room = first?.angle === undefined ? titleWidth(one.text) * 12 : 12 / sin;
        if (next) expect(next.x - one.x).toBeGreaterThanOrEqual(room);
        expect(one.y + titleWidth(one.text) * 12 * sin).toBeLessThanOrEqual(400);
        expect(one.text).toMatch(/_v\d$/);
      });
      // At least a third of the plot is left.
      expect(frame.box.bottom - frame.box.top).toBeGreaterThan(130);
    },
  );
});

describe('titleLines', () => {
  const cut = 'abs(Jet_eta)>1 && Jet_pt>20 && Jet_btagDeepFlavB>0.2783';

  it('breaks a name at its words, and cuts only the last line, in its middle', () => {
    expect(titleLines(cut, 16, 3)).toEqual([
      'abs(Jet_eta)>1 &&',
      'Jet_pt>20 && Jet_',
      'btagDeepFlavB>0.2783',
    ]);
    expect(titleLines(cut, 16, 1)).toEqual([expect.stringMatching(/^abs\(.*….*2783$/)]);
    for (const line of titleLines(cut.repeat(9), 16, 3)) expect(titleWidth(line)).toBeLessThanOrEqual(16);
    expect(titleLines('#sqrt{s}', 16, 3)).toEqual(['#sqrt{s}']);
    expect(titleLines('', 16, 3)).toEqual([]);
  });
});
