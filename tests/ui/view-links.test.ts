import { describe, expect, test } from 'vitest';
import { formatAsked, parseAsked } from '../../web/features/chains/view/asked';
import { parseMapState } from '../../web/features/map/view/map-state';
import { formatWallParams, parseWallParams } from '../../web/features/walls/view/wall-params';
import { mapLink } from '../../web/ui/state/map-link';

describe('the state of a view in a link', () => {
  test.each<[string, (text: string) => string, string]>([
    [
      'a wall',
      (text) => formatWallParams(parseWallParams(text)),
      'items=a+b&reference=https%3A%2F%2Fx%2Fr.root&filter=pt&sort=name&log=1&same=1&fail=ks%3C0.1&band=0.5&area=1',
    ],
    ['a wall of no words', (text) => formatWallParams(parseWallParams(text)), 'items='],
    [
      'a map',
      (text) => mapLink(parseMapState(text)),
      'branch=a&branch=b&colour=entries&rows=1MB&reads=1&at=100%2B20',
    ],
    [
      'all files',
      (text) => formatAsked(parseAsked(text)),
      'expr=pt&cut=n%3E1&bins=20&low=0&high=5&profile=1',
    ],
    ...[formatWallParams(parseWallParams('')), mapLink(parseMapState('')), formatAsked(parseAsked(''))].map(
      (text, i): [string, (text: string) => string, string] => [`nothing (${i})`, () => text, ''],
    ),
  ])('%s is written as it was read', (_, again, text) => {
    expect(again(text)).toBe(text);
  });

  test('values of another form are ignored', () => {
    expect(parseWallParams('sort=best&band=-1&log')).toEqual({ ...parseWallParams(''), log: true });
    expect(parseWallParams('band=')).toEqual(parseWallParams(''));
    expect(parseMapState('colour=none&rows=2MB&at=-1%2B5')).toEqual(parseMapState(''));
    expect(parseMapState('').rows).toBe('fitted');
  });
});
