import { describe, expect, it } from 'vitest';
import { timeAxisOf, timeText, timeTicks } from '../../web/plot/drawing/time-axis';

const utc = { format: '', offset: 0 };
const at = (iso: string) => Date.parse(`${iso}Z`) / 1000;

describe('timeAxisOf', () => {
  it.each([
    ['%d/%m %H:%M%F2023-11-15 00:00:00', '%d/%m %H:%M', at('2023-11-15T00:00:00')],
    ['%H:%M%F2023-11-14 22:13:20s0.5 GMT', '%H:%M', 1_700_000_000.5],
    // ROOT's own origin, where there is none: TStyle::GetTimeOffset.
    ['%H:%M', '%H:%M', 788_918_400],
    ['', '', 788_918_400],
    ['%F', '', 788_918_400],
  ])('reads %s', (stored, format, offset) => expect(timeAxisOf(stored)).toEqual({ format, offset }));
});

describe('timeTicks', () => {
  const labels = (from: string, to: string, count: number) => timeTicks(at(from), at(to), count, utc)?.labels;

  it.each([
    [
      '2023-11-15T00:00:10',
      '2023-11-15T00:00:50',
      5,
      ['00:00:10', '00:00:20', '00:00:30', '00:00:40', '00:00:50'],
    ],
    ['2023-11-15T00:07:00', '2023-11-15T06:00:00', 4, ['02:00', '04:00', '06:00']],
    ['2023-12-29T12:00:00', '2024-01-03T00:00:00', 6, ['30 Dec', '31 Dec', '01 Jan', '02 Jan', '03 Jan']],
    ['2023-11-20T00:00:00', '2024-03-10T00:00:00', 5, ['Dec 2023', 'Jan 2024', 'Feb 2024', 'Mar 2024']],
    ['1995-06-01T00:00:00', '2024-03-10T00:00:00', 4, ['2000', '2010', '2020']],
  ] as const)('from %s to %s', (from, to, count, expected) =>
    expect(labels(from, to, count)).toEqual(expected),
  );

  it('stands at values of the axis, whatever its origin', () => {
    const ticks = timeTicks(0, 86_400, 5, timeAxisOf('%H:%M%F2023-11-15 01:00:00'));
    expect(ticks?.values[0]).toBe(5 * 3600);
    expect(ticks?.labels[0]).toBe('06:00');
  });

  it('leaves numbers where times are too fine, too far or none', () => {
    for (const [low, high] of [
      [0, 1],
      [0, 1e300],
      [5, 5],
      [Number.NaN, 1],
      [-1e15, 1e15],
    ] as const) {
      expect(timeTicks(low, high, 5, utc)).toBeUndefined();
    }
    // From a time before the year 0 to today.
    expect(timeTicks(-1e11, 1.7e9, 6, utc)?.labels.length).toBeGreaterThan(1);
  });
});

describe('timeText', () => {
  it.each([
    ['%d/%m/%y %H:%M:%S', '05/02/24 14:05:09'],
    ['%e %B %Y, %A, day %j', ' 5 February 2024, Monday, day 036'],
    ['%I:%M %p %b %a %D %T %R', '02:05 PM Feb Mon 02/05/24 14:05:09 14:05'],
    ['%% %Q', '% %Q'],
  ])('%s', (format, text) => expect(timeText(at('2024-02-05T14:05:09'), utc, format)).toBe(text));

  it('has a dash for what is no time', () => expect(timeText(1e300, utc)).toBe('–'));
});
