import { expect, test } from 'vitest';
import { TOOLS } from '../../../web/features/selectors/work/tools';

const TURN = 2 * Math.PI;
const ANGLES = [0, -0, 1, -1, 3, Math.PI, -Math.PI, TURN, -TURN, 7, -9.5, 100, 1e300, Infinity, NaN];

/** The difference of two angles by its definition. */
function difference(a: number, b: number): number {
  const rest = (a - b) % TURN;
  if (rest > Math.PI) return rest - TURN;
  return rest < -Math.PI ? rest + TURN : rest;
}

test('deltaPhi and deltaR give the same bits as their definitions, for any angles', () => {
  for (const a of ANGLES)
    for (const b of ANGLES) {
      expect(TOOLS.deltaPhi(a, b)).toBe(difference(a, b));
      const [eta, phi] = [a - 1.5, difference(b, a)];
      expect(TOOLS.deltaR(a, b, 1.5, a)).toBe(Math.sqrt(eta * eta + phi * phi));
    }
});

test('deltaPhi and deltaR refuse what JavaScript would take as a number', () => {
  for (const odd of [[], [1], null, true, '1'] as unknown as number[]) {
    expect(() => TOOLS.deltaPhi(odd, 2)).toThrow('the first angle, which is a number');
    expect(() => TOOLS.deltaPhi(2, odd)).toThrow('the second angle, which is a number');
    expect(() => TOOLS.deltaR(odd, 1, 2, 3)).toThrow('for eta1, which is a number');
    expect(() => TOOLS.deltaR(0, 1, 2, odd)).toThrow('for phi2, which is a number');
  }
});
