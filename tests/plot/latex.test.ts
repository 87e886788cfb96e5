import { describe, expect, it } from 'vitest';
import { drawingSvg } from '../../web/plot/drawing/drawing';
import { fittedTitle, readableLatex, titleRuns, titleWidth } from '../../web/plot/drawing/latex';

describe('readableLatex', () => {
  it.each([
    ['#Delta#phi', 'Δφ'],
    ['p_{T} [GeV]', 'p_T [GeV]'],
    ['cm^{-2}s^{-1}', 'cm⁻²s⁻¹'],
    ['#frac{d#sigma}{dp_{T}}', 'dσ/dp_T'],
    ['#sqrt{s}=13 TeV, #sqrt{s_{NN}}', '√s=13 TeV, √(s_NN)'],
    ['#sqrt[3]{x}, #sqrt[n]{x+y}', '³√x, n√(x+y)'],
    ['#bar{p}#hat{x}', 'p̄x̂'],
    ['#splitline{%H:%M}{%d/%m}', '%H:%M %d/%m'],
    ['#color[2]{red} #font[42]{x} #bf{#it{y}}', 'red x y'],
    ['#left(x#right)', '(x)'],
    ['H#rightarrow#gamma#gamma', 'H→γγ'],
    ['#pix', 'πx'],
    // ROOT takes only what has braces for a script, and shows other braces.
    ['Muon_pt x^2 m_a', 'Muon_pt x^2 m_a'],
    ['pt {cut}', 'pt {cut}'],
    ['#unknown', '#unknown'],
    ['a_{b', 'a_b'],
    ['#', '#'],
    ['', ''],
  ])('%s is shown as %s', (latex, text) => expect(readableLatex(latex)).toBe(text));

  it('shows titles of any nesting and length', () => {
    for (const text of ['#sqrt{', '_{', '#frac{a}{', '}', '#font[', '^{_{'].map((part) =>
      part.repeat(50_000),
    )) {
      expect(readableLatex(text).length).toBeLessThan(3000);
    }
  });

  it('puts one mark on a letter for each accent around it', () => {
    expect(readableLatex('#bar{#hat{x}y}')).toBe('x\u0302\u0304y\u0304');
    const nested = `${'#bar{'.repeat(11)}${'a'.repeat(900)}${'}'.repeat(11)}`;
    expect(readableLatex(nested).length).toBeLessThan(12 * 1000);
  });
});

describe('titleRuns', () => {
  it('raises and lowers, smaller each time', () => {
    expect(titleRuns('m_{#mu^{+}}').map(({ text, size }) => [text, Number(size.toFixed(3))])).toEqual([
      ['m', 1],
      ['μ', 0.72],
      ['+', 0.518],
    ]);
    const [, low, high] = titleRuns('m_{#mu^{+}}');
    expect(low?.up).toBeLessThan(0);
    expect(high?.up).toBeGreaterThan(low?.up ?? 0);
  });

  it('puts a lowered part below the raised one before it', () => {
    const [, , below, after] = titleRuns('p_{T}^{miss} x');
    expect(below?.back).toBeGreaterThan(0);
    // The following text begins after the longer of both.
    expect(after?.back).toBeLessThanOrEqual(0);
    expect(titleWidth('p_{T}^{miss}')).toBeLessThan(titleWidth('p_{T}') + titleWidth('^{miss}'));
  });

  it('becomes moves of the pen in a picture, which ends on the line again', () => {
    const text = { kind: 'text', x: 0, y: 0, text: 'p_{T}^{2} <GeV>', latex: true } as const;
    const svg = drawingSvg({ width: 100, height: 20, title: '', shapes: [text] });
    const moves = [...svg.matchAll(/dy="(-?[\d.]+)"/g)].map(([, dy]) => Number(dy));
    expect(moves).toHaveLength(3);
    expect(moves.reduce((sum, dy) => sum + dy, 0)).toBeCloseTo(0, 1);
    expect(svg).toContain('&lt;GeV&gt;');
  });
});

describe('fittedTitle', () => {
  it('cuts what is too wide, as plain text', () => {
    expect(fittedTitle('p_{T}', 10)).toBe('p_{T}');
    const cut = fittedTitle('a very long title with p_{T} in it', 8);
    expect(cut.endsWith('…')).toBe(true);
    expect(titleWidth(cut)).toBeLessThanOrEqual(8);
  });
});
