import { describe, expect, it } from 'vitest';
import { labelBlocks, luminosityText } from '../../../web/features/figures/work/drawn/label';
import { wholeStyle } from '../../../web/features/figures/work/presets';
import { labelPlaces, type Style } from '../../../web/features/figures/work/style';
import recorded from './mplhep-labels.json';

// Compared with labels that mplhep writes: mplhep_labels.py makes the file.

const FRAME = { left: 50, right: 350, top: 40, bottom: 300 };

function labelOf(label: Style['label']) {
  const style = wholeStyle({ label: { experiment: 'CMS', ...label } });
  return { style, ...labelBlocks(style, FRAME, 10, 0) };
}

describe('the label of an experiment', () => {
  it.each(recorded)('has the text of mplhep: $place $case', ({ place, case: given, right }) => {
    const { lumi, year, com } = given as {
      lumi?: number | string;
      year?: number | null;
      com?: number | string | null;
    };
    const label = {
      ...wholeStyle({}).label,
      ...{ place: labelPlaces.find((one) => one === place) ?? 'above', luminosity: lumi },
      ...{ year: year ?? undefined, energy: com ?? undefined },
    };
    expect(luminosityText(label)).toBe(right);
  });

  it.each(recorded.filter(({ case: { lumi } }) => lumi === 138))(
    'stands where mplhep has it: $place',
    ({ place, isAbove, sizes }) => {
      const own = labelPlaces.find((one) => one === place) ?? 'above';
      const { style, above, inside } = labelOf({ place: own, text: 'Preliminary', luminosity: 138 });
      const hasName = (shapes: readonly { kind: string; text?: string }[] = []) =>
        shapes.some(({ text }) => text?.includes('CMS'));
      expect([hasName(above), hasName(inside?.shapes)]).toEqual([isAbove, !isAbove]);
      const unit = 12 / style.font.numbers;
      const all = [...above, ...(inside?.shapes ?? [])];
      const right = all.find((shape) => shape.kind === 'text' && shape.text.includes('138'));
      const size = right?.kind === 'text' ? (right.size ?? 0) : 0;
      expect(size / (style.font.label * unit)).toBeCloseTo(sizes[1] ?? 0, 6);
      expect(all.some((shape) => shape.kind === 'text' && shape.text.includes(`#scale[${sizes[0]}]{`))).toBe(
        true,
      );
    },
  );

  it('is not there without a name and texts', () => {
    const { above, inside } = labelOf({ experiment: '' });
    expect([above, inside]).toEqual([[], undefined]);
  });
});
