import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../web/api/api';
import { provisionalText } from '../../web/ui/plot/provisional';
import { leftText, smallBaskets } from '../../web/ui/widgets/progress';

const reading = (bytesDone: number, bytesTotal: number, left?: number): Progress => ({
  ...{ label: 'Finding the range', bytesDone, bytesTotal, entriesDone: 0, entriesTotal: 0 },
  requests: left === undefined ? undefined : { left },
});

/** The words about a read that began 10 s ago with 1 kB. */
function said(progress: Progress): string {
  vi.spyOn(performance, 'now').mockReturnValue(10_000);
  return leftText({ slot: 'plot', label: '', started: 0, progress, begun: { at: 0, bytes: 1000 } });
}

describe('a read over a slow link', () => {
  afterEach(() => vi.restoreAllMocks());

  it('says how many requests are left, and for how long', () => {
    expect(said(reading(569_000, 1_220_000, 656))).toBe(', 656 requests, about 11 s left');
  });

  it('says nothing of the time that it cannot know, nor of the last request', () => {
    expect(said(reading(1000, 1_220_000, 1229))).toBe(', 1,229 requests left');
    expect(said(reading(569_000, 570_000, 1))).toBe('');
    expect(said(reading(569_000, 1_220_000))).toBe('');
  });

  it('says how much of the values a provisional plot has, and that the server does not answer', () => {
    vi.spyOn(performance, 'now').mockReturnValue(10_000);
    const at = { slot: 'detail', label: '', started: 0, begun: { at: 0, bytes: 1000 } };
    const progress = { ...reading(569_000, 1_220_000, 656), entriesDone: 460, entriesTotal: 1000 };
    expect(provisionalText({ ...at, progress })).toBe(
      'Provisional: 46 % of the entries, 656 requests, about 11 s left.',
    );
    const trouble = { silentMs: 4000, tried: 1, tries: 1, nextMs: 0 };
    expect(provisionalText({ ...at, progress: { ...progress, requests: { left: 656, trouble } } })).toBe(
      'Provisional: 46 % of the entries. The server has not answered for 4 s.',
    );
    expect(provisionalText({ ...at, progress: undefined })).toBe('');
  });

  it('leads to the doctor where many requests are left for few bytes, and nowhere else', () => {
    expect(smallBaskets(reading(0, 1_220_000, 1229))).toBe(true);
    expect(smallBaskets(reading(0, 122_000_000, 1229))).toBe(false);
    expect(smallBaskets(reading(0, 12_000, 12))).toBe(false);
    expect(smallBaskets(reading(0, 1_220_000))).toBe(false);
    expect(smallBaskets(undefined)).toBe(false);
  });
});
