import { expect, test } from 'vitest';
import { parseMapState } from '../../../web/features/map/view/map-state';
import { mapLink } from '../../../web/ui/state/map-link';

test.each(['branch=a&branch=b&colour=entries&rows=1MB&reads=1&at=100%2B20', ''])(
  '"%s" in a link is written as it was read',
  (text) => {
    expect(mapLink(parseMapState(text))).toBe(text);
  },
);

test('values of another form are ignored', () => {
  expect(parseMapState('colour=none&rows=2MB&at=-1%2B5')).toEqual(parseMapState(''));
  expect(parseMapState('').rows).toBe('fitted');
});
