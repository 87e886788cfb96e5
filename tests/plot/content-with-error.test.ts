import { expect, test } from 'vitest';
import { contentWithError } from '../../web/plot/stored/content-with-error';

test.each([
  [1.84924, 0.0342075, '1.849 ± 0.034'],
  [473, 21.7485, '473 ± 22'],
  [5, 2.23607, '5 ± 2.2'],
  [-0.5, 0.12345, '−0.50 ± 0.12'],
  [0, 0, '0 ± 0'],
  [1e9, 31622.7766, '1,000,000,000 ± 32,000'],
  [1.23456e-7, 1.5e-8, '1.23456e−7 ± 1.5e−8'],
  [Number.NaN, 1, '– ± 1'],
])('%d with an error of %d is %s', (value, error, text) => {
  expect(contentWithError(value, error)).toBe(text);
});
