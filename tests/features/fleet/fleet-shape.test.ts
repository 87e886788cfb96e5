import { expect, test } from 'vitest';
import { parseFleetModel } from '../../../web/features/fleet/work/parse-model';

const site = { name: 's', slots: 1, link: { latencyMs: 1, mbitPerS: 100 } };
const base = {
  sites: [site],
  datasets: [{ name: 'd', file: 'f.root', files: 1 }],
  uses: [{ name: 'u', dataset: 'd' }],
  jobs: { count: 1 },
};

test('members that are left out, or null, have their defaults', () => {
  const model = parseFleetModel({ ...base, seed: null, sites: [{ ...site, cache: null, lan: null }] });
  expect(model).toEqual({
    seed: 0,
    origin: { mbitPerS: 10_000, disk: { seekMs: 0, mbPerS: 1000 }, tls: 'none' },
    sites: [
      {
        ...{ name: 's', slots: 1, speed: 1, storageBytes: 1e15 },
        link: { latencyMs: 1, mbitPerS: 100, streamMbitPerS: undefined },
        lan: { latencyMs: 0.2, mbitPerS: 10_000, streamMbitPerS: undefined },
        disk: { seekMs: 0, mbPerS: 1000 },
        cache: { kind: 'none' },
      },
    ],
    datasets: [{ name: 'd', file: 'f.root', tree: undefined, files: 1 }],
    uses: [
      {
        ...{ name: 'u', dataset: 'd', branches: [], draw: '', cut: '', selector: '', trace: '', read: '' },
        ...{ part: 1, cpu: { msPerEntry: 0, msPerMB: 0 }, startMs: 0, share: 1 },
      },
    ],
    jobs: { count: 1, perSecond: 0, filesPerJob: 1, zipf: 0, placement: 'any', process: 'new' },
  });
  const traced = { ...base, uses: [{ name: 'u', dataset: 'd', trace: 't.har', read: null }] };
  expect(parseFleetModel(traced).uses[0]?.read).toBe('recorded');
});

const withSite = (more: object) => ({ ...base, sites: [{ ...site, ...more }] });
const withUse = (more: object) => ({ ...base, uses: [{ ...base.uses[0], ...more }] });

test.each<[string, object, string]>([
  [
    'a list that is missing',
    { ...base, uses: undefined },
    'uses is missing, not a list of 1 to 1000 objects.',
  ],
  ['a text', withSite({ name: 5 }), 'sites[0].name is 5, not a text.'],
  [
    'a missing number',
    withSite({ link: { mbitPerS: 1 } }),
    'sites[0].link.latencyMs is missing, not a number from 0 to 3600000.',
  ],
  ['a part of a site', withSite({ disk: 'fast' }), 'sites[0].disk is "fast", not an object.'],
  [
    'a number that is not whole',
    withSite({ slots: 1.5 }),
    'sites[0].slots is 1.5, not a whole number from 1.',
  ],
  ['a cache', withSite({ cache: 'none' }), 'sites[0].cache is "none", not an object.'],
  [
    'a kind of cache',
    withSite({ cache: { kind: 'lru' } }),
    'sites[0].cache.kind is "lru", not one of none, files, blocks, ranges.',
  ],
  [
    'bytes of no cache',
    withSite({ cache: { kind: 'none', bytes: 1 } }),
    'sites[0].cache.bytes is not known.',
  ],
  [
    'a block',
    withSite({ cache: { kind: 'blocks', bytes: 1e9, blockBytes: 1 } }),
    'sites[0].cache.blockBytes is 1, not a whole number from 4096.',
  ],
  ['a part above 1', withUse({ part: 1.5 }), 'uses[0].part is 1.5, not a number above 0 to 1.'],
  ['a list of texts', withUse({ branches: [1] }), 'uses[0].branches is [1], not a list of texts.'],
  ['the way of reading', withUse({ read: 'fast' }), 'uses[0].read is "fast".'],
  [
    'the popularity',
    { ...base, jobs: { count: 1, zipf: 11 } },
    'jobs.zipf is 11, not a number from 0 to 10.',
  ],
])('%s that is wrong is named with what it has to be', (_, json, message) => {
  expect(() => parseFleetModel(json)).toThrow(expect.objectContaining({ code: 'ARGUMENT', message }));
});

test('a misspelt member is named with the one that is like it', () => {
  expect(() => parseFleetModel(withSite({ slot: 3 }))).toThrow(
    expect.objectContaining({ message: 'sites[0].slot is not known.', fix: 'Did you mean slots?' }),
  );
});
