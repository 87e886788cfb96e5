import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Clock } from '../../../web/features/fleet/work/clock';
import { Disk } from '../../../web/features/fleet/work/disk';
import { type FleetReport, startFleet, type UseWork } from '../../../web/features/fleet/work/fleet';
import { Kept } from '../../../web/features/fleet/work/kept';
import { Link, Network } from '../../../web/features/fleet/work/network';
import { parseFleetModel } from '../../../web/features/fleet/work/parse-model';
import { sweepOf, withValue } from '../../../web/features/fleet/work/sweep';

/** 1 MB/ms is 8,000 Mbit/s. */
const MBIT = 8000;

const small = () => ({
  origin: { mbitPerS: MBIT, disk: { mbPerS: 1e6 } },
  sites: [{ name: 'a', slots: 1, link: { latencyMs: 10, mbitPerS: MBIT } }] as object[],
  datasets: [{ name: 'd', file: 'd.root', files: 10 }],
  uses: [{ name: 'u', dataset: 'd' }],
  jobs: { count: 1, process: 'kept' } as object,
});

/** A process that starts and connects at once. */
const KEPT = { cpuMs: 0, connects: 0, logins: 0 };

/** Two reads of 5 MB with 100 ms of computing after each. */
const work = (ahead = 0): UseWork => {
  const steps = [
    { trips: 1, bytes: 5e6, pieces: [{ offset: 0, length: 5e6 }], cpuMs: 100 },
    { trips: 1, bytes: 5e6, pieces: [{ offset: 8e6, length: 5e6 }], cpuMs: 100 },
  ];
  const start = { cpuMs: 50, connects: 1, logins: 0 };
  const whole = { ahead, fileBytes: 20e6, steps, start };
  return { dataset: 0, reads: 0, share: 1, work: () => whole };
};

function simulate(json: object, works: UseWork[], access: 'push' | 'pull'): FleetReport {
  const run = startFleet(parseFleetModel(json), works, access);
  while (run.advance(1000));
  return run.report();
}

describe('links are shared fairly', () => {
  function timesOf(
    start: (network: Network, done: (name: string) => () => void) => void,
  ): Record<string, number> {
    const clock = new Clock();
    const times: Record<string, number> = {};
    start(new Network(clock), (name) => () => {
      times[name] = Math.round(clock.now * 1e6) / 1e6;
    });
    while (clock.step());
    return times;
  }

  test('two transfers have half of a link each, until one is complete', () => {
    const link = new Link('l', 100);
    const times = timesOf((network, done) => {
      const route = network.route([link]);
      network.send(route, 1000, done('short'));
      network.send(route, 3000, done('long'));
    });
    expect(times).toEqual({ short: 20, long: 40 });
    expect(link.bytes).toBe(4000);
    expect(link.busyMs).toBeCloseTo(40);
  });

  test('what a slow link cannot use goes to the others', () => {
    const shared = new Link('shared', 100);
    const times = timesOf((network, done) => {
      network.send(network.route([shared, new Link('slow', 20)]), 2000, done('slow'));
      network.send(network.route([shared, new Link('fast', 1000)]), 8000, done('fast'));
    });
    expect(times).toEqual({ slow: 100, fast: 100 });
  });

  test('several transfers of a slow route take their rates from the shared link together', () => {
    const shared = new Link('shared', 100);
    const times = timesOf((network, done) => {
      const slow = network.route([shared, new Link('slow', 30)]);
      const fast = network.route([shared]);
      for (const name of ['a', 'b', 'c']) network.send(slow, 1000, done(name));
      for (const name of ['d', 'e']) network.send(fast, 3500, done(name));
    });
    // 10 for each of three, and what is left, 70, for the two others.
    expect(times).toEqual({ a: 100, b: 100, c: 100, d: 100, e: 100 });
    expect(shared.busyMs).toBeCloseTo(100);
  });

  test('one connection has no more than its own rate', () => {
    const times = timesOf((network, done) => {
      const route = network.route([new Link('l', 100)], 10);
      for (let i = 0; i < 5; i++) network.send(route, 1000, done(String(i)));
    });
    expect(Object.values(times)).toEqual([100, 100, 100, 100, 100]);
  });
});

test('a disk serves requests one after another, and moves its arm between owners', () => {
  const clock = new Clock();
  const disk = new Disk(clock, 5, 1000);
  const times: number[] = [];
  const note = () => times.push(clock.now);
  disk.use('a', 10_000, 1, note);
  disk.use('a', 10_000, 1, note);
  disk.use('b', 10_000, 3, note);
  while (clock.step());
  expect(times).toEqual([15, 25, 50]);
  expect(disk.seeks).toBe(4);
});

test('what was used longest ago makes room', () => {
  const kept = new Kept(250);
  for (const unit of [1, 2]) {
    expect(kept.look(unit, 100, () => {})).toBe('missing');
    kept.expect(unit);
    kept.keep(unit, 100);
  }
  expect(kept.look(1, 100, () => {})).toBe('here');
  kept.expect(3);
  kept.keep(3, 100);
  expect([1, 2, 3].map((unit) => kept.has(unit))).toEqual([true, false, true]);
  expect(kept.evicted).toBe(100);
  // A unit that is larger than the whole cache is handed on, and not kept.
  kept.expect(4);
  kept.keep(4, 300);
  expect([1, 3, 4].map((unit) => kept.has(unit))).toEqual([true, true, false]);
});

describe('jobs', () => {
  test('without a cache each read waits for the link, and computing waits for the read', () => {
    const report = simulate(small(), [work()], 'pull');
    // 2 x (10 ms of latency + 5 MB at 1 MB/ms + 100 ms).
    expect(report.seconds).toBeCloseTo(0.23, 6);
    expect(report.cpuEfficiency).toBeCloseTo(0.2 / 0.23, 6);
    expect(report.origin.bytes).toBe(10e6);
  });

  test('a new process starts, and connects by TCP and TLS, before the first file alone', () => {
    const seconds = (tls: string, jobs: object) =>
      simulate({ ...small(), origin: { ...small().origin, tls }, jobs }, [work()], 'pull').seconds;
    for (const [tls, trips] of [
      ['none', 1],
      ['1.3', 2],
      ['1.2', 3],
    ] as const) {
      const own = 0.05 + 0.01 * trips;
      expect(seconds(tls, { count: 1 })).toBeCloseTo(0.23 + own, 6);
      expect(seconds(tls, { count: 1, filesPerJob: 3 })).toBeCloseTo(3 * 0.23 + own, 6);
      expect(seconds(tls, { count: 2, zipf: 'each' })).toBeCloseTo(2 * (0.23 + own), 6);
      expect(seconds(tls, { count: 1, process: 'kept' })).toBeCloseTo(0.23, 6);
    }
    const { cpuEfficiency } = simulate({ ...small(), jobs: { count: 1 } }, [work()], 'pull');
    expect(cpuEfficiency).toBeCloseTo(0.25 / 0.29, 6);
  });

  test('a step that only the first file of a process needs is left out for later ones', () => {
    const [whole] = [work()];
    const { steps, ...rest } = (whole as UseWork).work({ latencyMs: 0, mbitPerS: 0 });
    const first = { trips: 2, bytes: 0, pieces: [], cpuMs: 0, isFirst: true };
    const more = { ...(whole as UseWork), work: () => ({ ...rest, steps: [first, ...steps] }) };
    const seconds = (jobs: object) => simulate({ ...small(), jobs }, [more], 'pull').seconds;
    expect(seconds({ count: 1, process: 'kept' })).toBeCloseTo(0.23, 6);
    expect(seconds({ count: 1, filesPerJob: 3 })).toBeCloseTo(3 * 0.23 + 0.06 + 0.02, 6);
  });

  test('a program that reads ahead computes meanwhile', () => {
    expect(simulate(small(), [work(1)], 'pull').seconds).toBeCloseTo(0.215, 6);
  });

  test('a pushed file is copied once, and read on the site', () => {
    const json = {
      ...small(),
      jobs: { count: 2, zipf: 'each', process: 'kept' },
      datasets: [{ name: 'd', file: 'd', files: 1 }],
    };
    const report = simulate(json, [work()], 'push');
    expect(report.origin.bytes).toBe(20e6);
    expect(report.sites[0]?.hitRate).toBe(0.5);
    // 10 ms and 20 MB at 1 MB/ms; then twice 2 reads of 5 MB from a disk of 1 MB/ms with 0.2 ms, and 400 ms in all.
    expect(report.seconds).toBeCloseTo(0.03 + 4 * (0.0002 + 0.005 + 0.1), 6);
  });

  test('blocks that are there or on their way are fetched once', () => {
    const json = small();
    json.sites = [
      {
        name: 'a',
        slots: 4,
        link: { latencyMs: 10, mbitPerS: MBIT },
        cache: { kind: 'blocks', bytes: 1e9, blockBytes: 1e6 },
      },
    ];
    json.datasets = [{ name: 'd', file: 'd', files: 1 }];
    json.jobs = { count: 4 };
    const report = simulate(json, [work()], 'pull');
    expect(report.origin.bytes).toBe(10e6);
    expect(report.sites[0]?.hitRate).toBe(0.75);
  });

  test('an XCache opens a file at the origin once, and answers a vector read in parts of 2 MiB', () => {
    const json = small();
    json.sites = [
      {
        name: 'a',
        slots: 1,
        link: { latencyMs: 1000, mbitPerS: 1e6 },
        lan: { latencyMs: 0, mbitPerS: 1e9 },
        disk: { mbPerS: 1e9 },
        cache: { kind: 'blocks', bytes: 1e9, blockBytes: 2 ** 17 },
      },
    ];
    json.datasets = [{ name: 'd', file: 'd', files: 1 }];
    json.jobs = { count: 2, process: 'kept' };
    const steps = [
      { trips: 1, bytes: 0, pieces: [], cpuMs: 0, opens: true },
      // 40 pieces in as many blocks: 4 MB, in two parts.
      {
        trips: 1,
        bytes: 4e6,
        pieces: Array.from({ length: 40 }, (_, i) => ({ offset: i * 2 ** 18, length: 1e5 })),
        cpuMs: 0,
      },
    ];
    const whole = { ahead: 0, fileBytes: 20e6, steps, start: KEPT };
    const report = simulate(json, [{ dataset: 0, reads: 0, share: 1, work: () => whole }], 'pull');
    // The first job waits for the opening and two parts; the second one finds all.
    expect(report.seconds).toBeCloseTo(3, 1);
    expect(report.origin.bytes).toBe(40 * 2 ** 17);
    expect(report.sites[0]?.hitRate).toBe(0.5);
  });

  test('jobs go to the site that has their file', () => {
    const json = small();
    const site = (name: string) => ({ name, slots: 2, link: { latencyMs: 10, mbitPerS: MBIT } });
    json.sites = [site('a'), site('b')];
    json.datasets = [{ name: 'd', file: 'd', files: 1 }];
    json.jobs = { count: 200, perSecond: 0.2, placement: 'data' };
    expect(simulate(json, [work()], 'push').origin.bytes).toBe(20e6);
    json.jobs = { count: 200, perSecond: 2, placement: 'any' };
    expect(simulate(json, [work()], 'push').origin.bytes).toBe(40e6);
  });

  test('the same seed gives the same figures, another one others', () => {
    const json = { ...small(), seed: 3, jobs: { count: 500, perSecond: 4, zipf: 1 } };
    const first = simulate(json, [work()], 'push');
    expect(simulate(json, [work()], 'push')).toEqual(first);
    expect(simulate({ ...json, seed: 4 }, [work()], 'push')).not.toEqual(first);
    expect(first.jobs).toBe(500);
    expect(first.samples.at(-1)).toMatchObject({ ended: 500, running: 0 });
  });
});

describe('a model with a mistake is refused with its place', () => {
  test.each([
    [{ ...small(), sites: [] }, 'sites is [], not a list of 1 to 200 objects.'],
    [{ ...small(), jobs: { count: 0 } }, 'jobs.count is 0, not a whole number from 1 to 10000000.'],
    [{ ...small(), jobs: { count: 1, perSeconds: 3 } }, 'jobs.perSeconds is not known.'],
    [{ ...small(), uses: [{ name: 'u', dataset: 'e' }] }, 'names the data set "e"'],
    [{ ...small(), uses: [{ name: 'u', dataset: 'd', read: 'cache' }] }, 'uses[0].read is "cache".'],
    [{ ...small(), origin: { mbitPerS: -1 } }, 'origin.mbitPerS is -1, not a number above 0.'],
    [[], 'the model is [], not an object.'],
  ])('%#', (json, message) => {
    expect(() => parseFleetModel(json)).toThrow(message);
  });

  test('a sweep names a place that exists', () => {
    expect(sweepOf('sites[0].link.latencyMs=1,10')).toEqual({
      name: 'sites[0].link.latencyMs',
      values: [1, 10],
    });
    const changed = withValue(small(), sweepOf('sites[0].link.latencyMs=7'), 7);
    expect(parseFleetModel(changed).sites[0]?.link.latencyMs).toBe(7);
    expect(() => withValue(small(), sweepOf('sites[3].slots=7'), 7)).toThrow('no place "sites[3].slots"');
    expect(() => withValue(small(), sweepOf('__proto__.x=7'), 7)).toThrow('no place');
    expect(() => sweepOf('slots=a')).toThrow('does not name a number');
  });
});

test('the model of the document is one', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/features/fleet.md'), 'utf8');
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  expect(parseFleetModel(JSON.parse(text)).sites).toHaveLength(2);
});

test('transfers end late in a simulation, too, when what is left takes less time than two numbers differ', () => {
  for (const start of [1e9, 1e13, 1e18]) {
    const clock = new Clock();
    const network = new Network(clock);
    const route = network.route([new Link('a', 1e6)]);
    let done = 0;
    clock.after(start, () => {
      for (const bytes of [1, 1e3 / 3, 1e6 / 7, 123_456_789]) network.send(route, bytes, () => done++);
    });
    for (let steps = 0; clock.step(); steps++) expect(steps).toBeLessThan(100);
    expect(done).toBe(4);
  }
});

test('requests that wait for each other are counted each, also in a step that joins them', () => {
  const [step] = work().work({ latencyMs: 0, mbitPerS: 1 }).steps;
  if (step === undefined) throw new Error('no step');
  const joined = {
    ...work(),
    work: () => ({ ahead: 0, fileBytes: 20e6, steps: [{ ...step, trips: 25 }], start: KEPT }),
  };
  expect(simulate(small(), [joined], 'pull').origin.requests).toBe(25);
  // A copy of 20 MB has two parts.
  expect(simulate(small(), [joined], 'push').origin.requests).toBe(2);
});

test('a model in which names stand twice, nothing is chosen, or a time has no number is refused', () => {
  const wrong = (change: object, why: string) =>
    expect(() => parseFleetModel({ ...small(), ...change })).toThrow(
      expect.objectContaining({ code: 'ARGUMENT', message: expect.stringContaining(why) }),
    );
  const { datasets, sites } = small();
  wrong({ datasets: [...datasets, ...datasets] }, 'datasets[1].name is "d"');
  wrong({ sites: [...sites, ...sites] }, 'sites[1].name is "a"');
  wrong({ uses: [{ name: 'u', dataset: 'd', share: 0 }] }, 'share of each use is 0');
  // The second job would arrive after the largest number.
  wrong({ jobs: { count: 2, perSecond: 1e-308 } }, 'jobs.perSecond is 1e-308, not a number from 0.000001');
  wrong({ sites: [{ ...sites[0], speed: 1e-320 }] }, 'sites[0].speed');
  let deep: unknown[] = [];
  for (let i = 0; i < 1e5; i++) deep = [deep];
  wrong({ jobs: deep }, 'jobs is nested too deeply, not an object');
});

test('a model has round trips and computing of at most an hour', () => {
  const model = small();
  model.sites = [{ name: 'a', slots: 1, link: { latencyMs: 1e9, mbitPerS: MBIT } }];
  expect(() => parseFleetModel(model)).toThrow(/latencyMs/);
  expect(() =>
    parseFleetModel({ ...small(), uses: [{ name: 'u', dataset: 'd', cpuMsPerEntry: 1e9 }] }),
  ).toThrow(/cpuMsPerEntry/);
});

test('docs/features/fleet.md gives the defaults of the program', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/features/fleet.md'), 'utf8');
  const toldOf = (member: string): string => {
    const row = docs.split('\n').find((line) => line.startsWith(`| ${member} |`)) ?? '';
    return row.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '';
  };
  const { origin: _, ...others } = small();
  const bare = { ...others, jobs: { count: 1 } };
  const model = parseFleetModel(bare);
  const [site] = model.sites;
  const [use] = model.uses;
  const told: [string, string][] = [
    ['`seed`', String(model.seed)],
    ['`origin.mbitPerS`', String(model.origin.mbitPerS)],
    ['`disk` of the origin and of a site', `${model.origin.disk.seekMs} ms, ${model.origin.disk.mbPerS}`],
    ['`sites[].slots`, `speed`', `\`speed\` ${site?.speed}`],
    ['`sites[].lan`', `${site?.lan.latencyMs} ms, ${site?.lan.mbitPerS}`],
    ['`sites[].cache`', `\`${site?.cache.kind}\``],
    ['`uses[].part`', String(use?.part)],
    ['`uses[].read`', '`cache:30`, of an RNTuple `pool`; `recorded` with a trace'],
    ['`uses[].cpuMsPerEntry`, `cpuMsPerMB`', String(use?.cpu.msPerEntry)],
    ['`uses[].startMs`', String(use?.startMs)],
    ['`uses[].share`', String(use?.share)],
    ['`jobs.filesPerJob`', String(model.jobs.filesPerJob)],
    ['`jobs.zipf`', String(model.jobs.zipf)],
    ['`jobs.placement`', `\`${model.jobs.placement}\``],
    ['`jobs.process`', `\`${model.jobs.process}\``],
    ['`origin.tls`', `\`${model.origin.tls}\``],
  ];
  for (const [member, value] of told) expect(`${member}: ${toldOf(member)}`).toBe(`${member}: ${value}`);
  expect(site?.disk).toEqual(model.origin.disk);
  expect(Math.log10(site?.storageBytes ?? 0)).toBe(15);
  expect(parseFleetModel({ ...bare, origin: {} })).toEqual(model);
});

test('a use names its branches in one way', () => {
  const withUse = (use: object) => ({ ...small(), uses: [{ name: 'u', dataset: 'd', ...use }] });
  const wrong = (use: object, why: string) =>
    expect(() => parseFleetModel(withUse(use))).toThrow(
      expect.objectContaining({ message: expect.stringContaining(why) }),
    );
  wrong({ branches: ['a'], draw: 'b' }, 'names several of branches, draw, selector and trace');
  wrong({ cut: 'b > 1' }, 'cut needs draw');
  wrong({ read: 'recorded' }, 'names no trace');
  wrong({ read: 'jsroot:0' }, 'read is "jsroot:0"');
  expect(parseFleetModel(withUse({ trace: 't.har' })).uses[0]).toMatchObject({ read: 'recorded' });
  expect(parseFleetModel(withUse({ trace: 't.har', read: 'pool' })).uses[0]).toMatchObject({ read: 'pool' });
});
