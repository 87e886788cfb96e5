import { expect, test } from 'vitest';
import { formatAsked, parseAsked } from '../../../web/features/chains/view/asked';

test.each(['expr=pt&cut=n%3E1&bins=20&low=0&high=5&profile=1', ''])(
  '"%s" in a link is written as it was read',
  (text) => {
    expect(formatAsked(parseAsked(text))).toBe(text);
  },
);
