import { describe, expect, it } from 'vitest';
import { XylemError } from '../../../web/base/errors';
import type { Group, Params } from '../../../web/base/shape';
import { presetStyle, wholeStyle } from '../../../web/features/figures/work/presets';
import { checkStyle, parseStyle, presetNames, STYLE } from '../../../web/features/figures/work/style';

/** The message and the fix of the error for a style. */
function refused(text: string): string {
  try {
    parseStyle(text);
  } catch (error) {
    if (error instanceof XylemError && error.code === 'ARGUMENT')
      return `${error.message} ${error.fix ?? ''}`;
    throw error;
  }
  return 'not refused';
}

describe('a style', () => {
  it('names the member that is wrong, at any depth', () => {
    expect(refused('{"legnd": {}}')).toBe('the style has no option "legnd". Did you mean "legend"?');
    expect(refused('{"legend": {"colums": 2}}')).toBe(
      'legend of the style has no option "colums". Did you mean "columns"?',
    );
    expect(refused('{"layers": [{}, {"colour": "red"}]}')).toBe(
      'The option colour of layers of the style (number 2) is "red". It has to be a colour as "#1f7a5c".',
    );
    expect(refused('{"layers": [{"marker": "squares"}]}')).toContain(
      'marker of layers of the style (number 1)',
    );
    expect(refused('{"preset": "cdf"}')).toContain('"plain" or "cms" or "atlas"');
    expect(refused('{"width": 5}')).toContain('a number from 20 to 1000');
    expect(refused('{"x": {"range": [2, 1]}}')).toContain('range of x of the style');
    expect(refused('{"legend": null}')).toContain('legend of the style is nothing');
  });

  it('is refused if it is nested deeply', () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    expect(refused(`{"title": ${deep}}`)).toContain('title of the style');
  });

  it.each([
    '[]',
    '3',
    'null',
    '"cms"',
    '{',
    '{"__proto__": {"width": 1}}',
    `{"title": "${'x'.repeat(100_001)}"}`,
  ])('is refused if it is %.40s', (text) => expect(refused(text)).not.toBe('not refused'));
});

/** The rows of a table of members, those of groups with their place. */
function rowsOf(members: Params, place = ''): string[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const own = `${place}${name}`;
    const inner = (member as Partial<Group<Params>>).members;
    const items = (member.of as Partial<Group<Params>> | undefined)?.members;
    const words = inner || items ? member.value : member.words;
    const row = `| \`${own}\` | ${words.replaceAll('|', '\\|')} | ${member.about} |`;
    if (inner) return [row, ...rowsOf(inner, `${own}.`)];
    return items ? [row, ...rowsOf(items, `${own}[].`)] : [row];
  });
}

it('has a document of all its members (-u writes it)', async () => {
  const text = [
    '# The members of a style',
    '',
    'A style of [figures](../figures.md) is a JSON object with these members. All may be left out. Lengths on paper are in mm, fonts and lines in points.',
    '',
    '| member | value | meaning |',
    '|---|---|---|',
    ...rowsOf(STYLE),
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot('../../../docs/features/figures/style.md');
});

describe('a preset', () => {
  it.each(presetNames)('%s is a style as users write it, with all that a figure needs', (name) => {
    expect(() => checkStyle(presetStyle(name))).not.toThrow();
    const { width, height, font, colours } = wholeStyle({ preset: name });
    expect(width).toBe(86);
    expect(height).toBeGreaterThan(60);
    expect(
      Math.min(...Object.values(font).filter((size) => typeof size === 'number')),
    ).toBeGreaterThanOrEqual(7);
    expect(colours.length).toBeGreaterThan(5);
  });

  it('has what a style does not say', () => {
    const style = wholeStyle(
      parseStyle('{"preset": "cms", "column": "double", "label": {"text": "Preliminary"}}'),
    );
    expect(style).toMatchObject({ width: 178, height: 178, ratio: { show: 'none' } });
    expect(style.label).toMatchObject({ experiment: 'CMS', text: 'Preliminary', place: 'above' });
    const mine = wholeStyle({
      layers: [{ as: 'points' }],
      width: 100,
      ratio: { show: 'ratio', height: 0.3 },
    });
    expect(mine).toMatchObject({ width: 100, height: 97.5, layers: [{ as: 'points' }] });
  });
});
