import { expect, test } from 'vitest';
import {
  formatFitText,
  optionsOfText,
  parseFitText,
  togetherOfText,
} from '../../../web/features/fits/work/fit-text';

test('a fit of a link is read and written', () => {
  const text = 'gaus(0)+pol1(3); range=80:100; options=LE; parameters=0=90,1=91[85:97],2=2.5|fixed';
  const read = parseFitText(text);
  expect(read).toEqual({
    ...{ function: 'gaus(0)+pol1(3)', range: '80:100', options: 'LE' },
    ...{ parameters: '0=90,1=91[85:97],2=2.5|fixed', below: '', unbinned: '', shared: '', others: '' },
  });
  expect(formatFitText(read)).toBe(text);
  expect(optionsOfText(read)).toMatchObject({ range: [[80, 100]], options: 'LE' });
  expect(formatFitText(parseFitText('gaus'))).toBe('gaus');
  const values = 'gausn; range=70:110; unbinned=1';
  expect(parseFitText(values).unbinned).toBe('1');
  expect(formatFitText(parseFitText(values))).toBe(values);
  const map = 'xygaus; range=0:1,-2:2; below=pulls';
  const strange = parseFitText(`${map}; of=nothing; below=above`);
  expect(formatFitText(strange)).toBe(map);
  expect(optionsOfText(strange)).toMatch(/^"of=nothing" is not part of a fit: write range=…, options=…, /);
  expect(optionsOfText(parseFitText(map))).toMatchObject({
    range: [
      [0, 1],
      [-2, 2],
    ],
  });
});

test.each([
  ['gaus; range=100:80', '"100:80" is not a range: write LOW:HIGH'],
  ['gaus; range=1', '"1" is not a range: write LOW:HIGH'],
  ['gaus; range=1:2,3:4,5:6', '"1:2,3:4,5:6" is not a range'],
  ['gaus; options=Z', '"Z" is not an option of a fit.'],
  ['gaus; parameters==3', 'does not say how a parameter begins'],
])('%s is told', (text, message) => {
  expect(optionsOfText(parseFitText(text))).toContain(message);
});

test('other parts of a link are kept apart', () => {
  const unknown = ['__proto__=1', 'nonsense'];
  expect(parseFitText('gaus; __proto__=1; nonsense')).toEqual({ ...parseFitText('gaus'), unknown });
});

test('the functions of layers, and what they share', () => {
  const text = 'gaus(0)+expo(3); shared=3,4; others=[0]||1 | expo';
  const read = parseFitText(text);
  expect(formatFitText(read)).toBe(text);
  expect(togetherOfText(read, 3)).toEqual({
    functions: ['gaus(0)+expo(3)', '[0]||1', 'expo'],
    shared: ['3', '4'],
  });
  expect(togetherOfText(read, 2)).toMatch(/^There are 2 layers and 3 functions/);
  expect(togetherOfText(parseFitText('gaus; shared=Mean'), 3)).toEqual({
    functions: ['gaus', 'gaus', 'gaus'],
    shared: ['Mean'],
  });
  expect(togetherOfText(parseFitText('gaus; shared=Mean; unbinned=1'), 2)).toMatch(/in bins/);
});
