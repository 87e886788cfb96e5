import { expect, test } from 'vitest';
import { formatWallParams, parseWallParams } from '../../../web/features/walls/view/wall-params';

test.each([
  'items=a+b&reference=https%3A%2F%2Fx%2Fr.root&filter=pt&sort=name&log=1&same=1&size=S&state=missing&fail=ks%3C0.1&band=0.5&area=1',
  'items=',
  '',
])('"%s" in a link is written as it was read', (text) => {
  expect(formatWallParams(parseWallParams(text))).toBe(text);
});

test('values of another form are ignored', () => {
  expect(parseWallParams('sort=best&band=-1&size=XL&state=bad&log')).toEqual({
    ...parseWallParams(''),
    log: true,
  });
  expect(parseWallParams('band=')).toEqual(parseWallParams(''));
});
