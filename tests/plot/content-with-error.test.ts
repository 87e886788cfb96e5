import { expect, test } from 'vitest';
import { contentWithError, contentWithErrors } from '../../web/plot/stored/content-with-error';

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

test.each([
  [1.84924, 0.0342075, 0.0342075, '1.849 ± 0.034'],
  [1.84924, 0.0342075, 0.0512345, '1.849 −0.034 +0.051'],
  [0.97, 0, 0.012345, '0.970 −0.000 +0.012'],
  [473, 21.7485, 30.5, '473 −22 +31'],
  [Number.NaN, 1, 2, '– −1 +2'],
])('%d with errors of %d and %d is %s', (value, down, up, text) => {
  expect(contentWithErrors(value, down, up)).toBe(text);
});
