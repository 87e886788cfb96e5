import { expect, test } from 'vitest';
import { formatFitText, optionsOfText, parseFitText } from '../../../web/features/fits/work/fit-text';

test('a fit of a link is read and written', () => {
  const text = 'gaus(0)+pol1(3); range=80:100; options=LE; parameters=0=90,1=91[85:97],2=2.5|fixed';
  const read = parseFitText(text);
  expect(read).toEqual({
    ...{ function: 'gaus(0)+pol1(3)', range: '80:100', options: 'LE' },
    ...{ parameters: '0=90,1=91[85:97],2=2.5|fixed', below: '', unbinned: '' },
  });
  expect(formatFitText(read)).toBe(text);
  expect(optionsOfText(read)).toMatchObject({ range: [[80, 100]], options: 'LE' });
  expect(formatFitText(parseFitText('gaus'))).toBe('gaus');
  const values = 'gausn; range=70:110; unbinned=1';
  expect(parseFitText(values).unbinned).toBe('1');
  expect(formatFitText(parseFitText(values))).toBe(values);
  const map = 'xygaus; range=0:1,-2:2; below=pulls';
  expect(formatFitText(parseFitText(`${map}; of=nothing`))).toBe(map);
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

test('other parts of a link are left out', () => {
  expect(parseFitText('gaus; __proto__=1; nonsense')).toEqual(parseFitText('gaus'));
});
