import { describe, expect, it } from 'vitest';
import type { Agreement } from '../../../web/bins/agreement';
import { thresholdsOf, verdictBy } from '../../../web/features/walls/view/thresholds';
import { formatWallParams, parseWallParams } from '../../../web/features/walls/view/wall-params';
import { shortVerdict } from '../../../web/features/walls/work/judged';

const agreement = {
  same: false,
  chi2: { p: 0.004, chi2: 30, ndf: 10 },
  kolmogorov: { p: 0.5, distance: 0.1 },
  outside: 0.125,
} as unknown as Agreement;
const compared = { state: 'compared' as const, why: [], agreement };

describe('thresholds of a wall', () => {
  it('mark what is over one, with the condition and the figure', () => {
    const { conditions, mistake } = thresholdsOf('chi2<0.01, ks<0.01');
    expect(mistake).toBeUndefined();
    expect(verdictBy(compared, conditions)).toMatchObject({
      state: 'failed',
      why: ['chi2<0.01: chi2 is 0.004'],
    });
    expect(verdictBy(compared, thresholdsOf('outside>0.2').conditions).state).toBe('ok');
    expect(verdictBy(compared, [])).toBe(compared);
  });

  it('leave what cannot be compared, and mark what is missing where they say so', () => {
    const missing = { state: 'missing' as const, why: ['It is not in the reference.'] };
    expect(verdictBy(missing, thresholdsOf('chi2<0.01').conditions).state).toBe('missing');
    expect(verdictBy(missing, thresholdsOf('missing').conditions)).toEqual({ ...missing, state: 'failed' });
    const error = { state: 'error' as const, why: ['The reference is empty.'] };
    expect(verdictBy(error, thresholdsOf('chi2<0.01,missing').conditions)).toBe(error);
  });

  it('that cannot be read mark nothing, and say why', () => {
    const { conditions, mistake } = thresholdsOf('chi2<many');
    expect(conditions).toEqual([]);
    expect(mistake).toMatch(/"chi2<many" is not a condition\. .*chi2<0\.01/);
  });

  it('say both tests and the share outside of the band in few words', () => {
    expect(shortVerdict(compared)).toBe('chi2 p 0.004, KS p 0.5, 12.5 % outside');
  });

  it('are in the address, with the band and the area', () => {
    const text = formatWallParams({
      ...parseWallParams(''),
      ...{ reference: 'https://x/ref.root', fail: 'chi2<0.01', band: 0.2, area: true },
    });
    expect(parseWallParams(text)).toMatchObject({ fail: 'chi2<0.01', band: 0.2, area: true });
    expect(parseWallParams('band=-1')).toMatchObject({ fail: '', band: 0.1, area: false });
    expect(formatWallParams(parseWallParams(''))).toBe('');
  });
});
