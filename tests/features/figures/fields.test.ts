import { describe, expect, it } from 'vitest';
import {
  FIELDS,
  LAYER_FIELDS,
  shapeAt,
  shownValue,
  typedValue,
  valueAt,
  withValue,
  wrongIn,
} from '../../../web/features/figures/view/fields';
import { checkStyle, type Style } from '../../../web/features/figures/work/style';

describe('the fields of the panel', () => {
  it('are members of a style', () => {
    const paths = [
      ...FIELDS.flatMap(([, fields]) => fields.map(([path]) => path)),
      ...LAYER_FIELDS.map(([member]) => `layers.1.${member}`),
    ];
    for (const path of paths) expect(shapeAt(path).about, path).not.toBe('');
    expect(() => shapeAt('legend.colums')).toThrow('legend.colums');
  });

  it.each([
    ['label.luminosity', '138', 138],
    ['label.luminosity', '4.9 #pm 0.1', '4.9 #pm 0.1'],
    ['label.text', '13', '13'],
    ['x.range', '60, 120', [60, 120]],
    ['x.range', '[60,120]', [60, 120]],
    ['x.range', '120, 60', undefined],
    ['width', '5', undefined],
    ['width', '86.5', 86.5],
    ['layers.0.colour', '#1f7a5c', '#1f7a5c'],
    ['layers.0.colour', 'red', undefined],
  ])('%s takes %s as %j', (path, text, value) => {
    const typed = typedValue(shapeAt(path), text);
    expect(typed?.value).toEqual(value);
    if (value !== undefined) expect(() => checkStyle(withValue({}, path, typed?.value))).not.toThrow();
  });

  it('say what is wrong as the check of a style file does', () => {
    expect(wrongIn('width', '5')).toBe(
      'The option width of the style is 5. It has to be a number from 20 to 1000.',
    );
    expect(wrongIn('x.range', '10')).toContain('two ascending numbers');
    expect(wrongIn('x.range', '10, 20')).toBe('');
    expect(wrongIn('width', ' ')).toBe('');
  });

  it('change one value, and leave nothing empty', () => {
    const style: Style = { preset: 'cms', legend: { columns: 2 } };
    const changed = withValue(withValue(style, 'layers.2.as', 'points'), 'legend.title', 'Z');
    expect(changed).toEqual({
      preset: 'cms',
      legend: { columns: 2, title: 'Z' },
      layers: [{}, {}, { as: 'points' }],
    });
    expect(shownValue(valueAt(changed, 'layers.2.as'))).toBe('points');
    expect(valueAt(changed, 'layers.7.as')).toBeUndefined();
    const emptied = ['layers.2.as', 'legend.title', 'legend.columns'].reduce(
      (now, path) => withValue(now, path, undefined),
      changed,
    );
    expect(emptied).toEqual({ preset: 'cms' });
    expect(style).toEqual({ preset: 'cms', legend: { columns: 2 } });
  });
});
