import { argumentError } from '../../../base/errors';
import { listOf, opaque, type Shape, TEXT } from '../../../base/shape';
import { didYouMean, nearest } from '../../../base/suggest';
import type { CacheModel, DatasetModel, FleetModel, LinkModel, UseModel } from './model';

/** Limits that keep memory and time of a simulation reasonable. */
const MAX_SITES = 200;
const MAX_JOBS = 10_000_000;
const MAX_FILES = 10_000_000;
/** Maximum of a round trip, a seek, and the work on an entry: an hour. */
const MAX_MS = 3_600_000;
/** Minimum of values that have to be positive, so that dividing by them does not overflow. */
const LEAST = 1e-6;

/** Reads the part of a model at `path`. Throws ARGUMENT that says what it is, and what is expected. */
type Reader<T> = (json: unknown, path: string) => T;

/** Reads a value of a shape. `or` is allowed as well, and used if the value is missing. */
const member =
  <T>(shape: Shape<T>, or?: T): Reader<T> =>
  (json, path) => {
    const value = json ?? or;
    if (shape.is(value) || (or !== undefined && value === or)) return value as T;
    throw argumentError(`${path} is ${said(value)}, not ${shape.words}.`);
  };

function objectOf(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw argumentError(`${path || 'the model'} is ${said(value)}, not an object.`);
}

/** Reads an object without other members. `or` is used if the object is missing. */
const record =
  <T>(members: { [Name in keyof T]: Reader<T[Name]> }, or?: object): Reader<T> =>
  (json, path) => {
    const names = Object.keys(members);
    const given = new Map(Object.entries(objectOf(json ?? or, path)));
    const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const name of given.keys()) {
      if (!names.includes(name))
        throw argumentError(`${pathOf(name)} is not known.`, didYouMean(nearest(name, names), ''));
    }
    const readers = Object.entries<Reader<unknown>>(members);
    return Object.fromEntries(
      readers.map(([name, read]) => [name, read(given.get(name) ?? undefined, pathOf(name))]),
    ) as T;
  };

const list =
  <T>(item: Reader<T>, most: number): Reader<T[]> =>
  (json, path) => {
    if (Array.isArray(json) && json.length > 0 && json.length <= most)
      return json.map((one, i) => item(one, `${path}[${i}]`));
    throw argumentError(`${path} is ${said(json)}, not a list of 1 to ${most} objects.`);
  };

const within = (words: string, most: number, is: (value: number) => boolean): Shape<number> =>
  opaque(
    words + (most === Number.MAX_VALUE ? '' : ` to ${most}`),
    (value) => typeof value === 'number' && value <= most && is(value),
  );

const atLeast = (least: number, or?: number, most = Number.MAX_VALUE): Reader<number> =>
  member(
    within(`a number from ${least}`, most, (value) => value >= least),
    or,
  );
const wholeFrom = (least: number, or?: number, most = Number.MAX_VALUE): Reader<number> =>
  member(
    within(`a whole number from ${least}`, most, (value) => value >= least && Number.isInteger(value)),
    or,
  );
const positive = (or?: number, most = Number.MAX_VALUE): Reader<number> => {
  const above0 = member(
    within('a number above 0', most, (value) => value > 0),
    or,
  );
  const large = atLeast(LEAST, or, most);
  return (json, path) => large(above0(json, path), path);
};
const ms = (or?: number): Reader<number> => atLeast(0, or, MAX_MS);

const text = (or?: string): Reader<string> => member(TEXT, or);
const texts = member(opaque<string[]>('a list of texts', listOf(TEXT).is), []);
const choice = <const T extends string>(words: readonly T[], or?: NoInfer<T>): Reader<T> =>
  member(
    opaque<T>(`one of ${words.join(', ')}`, (value) => words.includes(value as T)),
    or,
  );

const linkOf = (or?: LinkModel): Reader<LinkModel> => {
  const stream = positive(Number.POSITIVE_INFINITY);
  return record<LinkModel>(
    {
      latencyMs: ms(or?.latencyMs),
      mbitPerS: positive(or?.mbitPerS),
      streamMbitPerS: (json, path) => {
        const rate = stream(json, path);
        return rate === Number.POSITIVE_INFINITY ? undefined : rate;
      },
    },
    or && {},
  );
};

const disk = record({ seekMs: ms(0), mbPerS: positive(1000) }, {});

const cacheKind = choice(['none', 'files', 'blocks', 'ranges']);
const sized = <const K extends CacheModel['kind']>(kind: K) => ({ kind: choice([kind]), bytes: positive() });
const CACHES: { readonly [Kind in CacheModel['kind']]: Reader<CacheModel> } = {
  none: record({ kind: choice(['none']) }),
  files: record(sized('files')),
  blocks: record({ ...sized('blocks'), blockBytes: wholeFrom(4096, 2 ** 20) }),
  ranges: record(sized('ranges')),
};

const cache: Reader<CacheModel> = (json = { kind: 'none' }, path) =>
  CACHES[cacheKind(new Map(Object.entries(objectOf(json, path))).get('kind'), `${path}.kind`)](json, path);

const site = record({
  name: text(),
  slots: wholeFrom(1),
  speed: positive(1),
  link: linkOf(),
  lan: linkOf({ latencyMs: 0.2, mbitPerS: 10_000 }),
  disk,
  storageBytes: positive(1e15),
  cache,
});

const dataset = record<DatasetModel>({
  name: text(),
  file: text(),
  tree: (json, path) => text('')(json, path) || undefined,
  files: wholeFrom(1, undefined, MAX_FILES),
});

const useMembers = record({
  name: text(),
  dataset: text(),
  branches: texts,
  draw: text(''),
  cut: text(''),
  selector: text(''),
  trace: text(''),
  part: positive(1, 1),
  read: (json, path) => (json === undefined ? undefined : text('')(json, path)),
  cpuMsPerEntry: ms(0),
  cpuMsPerMB: ms(0),
  startMs: ms(0),
  share: atLeast(0, 1),
});

const READ = /^(|none|readahead|pool|xylem|uproot|recorded|jsroot(:[1-9]\d{0,3})?|cache:\d+(\.\d+)?)$/;

const use: Reader<UseModel> = (json, path) => {
  const { cpuMsPerEntry, cpuMsPerMB, ...given } = useMembers(json, path);
  const { branches, draw, cut, selector, trace, read = trace === '' ? '' : 'recorded' } = given;
  if (!READ.test(read)) {
    throw argumentError(
      `${path}.read is "${read}".`,
      'It takes none, readahead, pool, uproot, jsroot, xylem, recorded, or cache:MB as in "cache:30".',
    );
  }
  if (read === 'recorded' && trace === '')
    throw argumentError(`${path}.read is "recorded", but it names no trace.`);
  const named = [branches.length > 0, draw !== '', selector !== '', trace !== ''].filter(Boolean);
  if (named.length > 1) throw argumentError(`${path} names several of branches, draw, selector and trace.`);
  if (cut !== '' && draw === '') throw argumentError(`${path}.cut needs draw.`);
  return { ...given, read, cpu: { msPerEntry: cpuMsPerEntry, msPerMB: cpuMsPerMB } };
};

const model = record<FleetModel>({
  seed: wholeFrom(0, 0),
  origin: record({ mbitPerS: positive(10_000), disk, tls: choice(['none', '1.3', '1.2'], 'none') }, {}),
  sites: list(site, MAX_SITES),
  datasets: list(dataset, 1000),
  uses: list(use, 1000),
  jobs: record({
    count: wholeFrom(1, undefined, MAX_JOBS),
    perSecond: positive(0),
    filesPerJob: wholeFrom(1, 1, 10_000),
    zipf: (json, path) => (json === 'each' ? json : atLeast(0, 0, 10)(json, path)),
    placement: choice(['any', 'data'], 'any'),
    process: choice(['new', 'kept'], 'new'),
  }),
});

/**
 * Reads a model from parsed JSON. Throws XylemError ARGUMENT that names the member, its value and what is expected.
 */
export function parseFleetModel(json: unknown): FleetModel {
  const result = model(json, '');
  const names = new Set(namesOf(result.datasets, 'datasets'));
  namesOf(result.sites, 'sites');
  if (result.uses.every(({ share }) => share === 0)) throw argumentError('The share of each use is 0.');
  for (const { name, dataset } of result.uses) {
    if (names.has(dataset)) continue;
    throw argumentError(`The use "${name}" names the data set "${dataset}", which the model does not have.`);
  }
  return result;
}

/** Returns the names in a list. Throws if a name occurs twice. */
function namesOf(list: readonly { name: string }[], where: string): string[] {
  const names = list.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again < 0) return names;
  throw argumentError(
    `${where}[${again}].name is "${names[again]}", as that of another one.`,
    'Give each its own name.',
  );
}

function said(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** JSON for a message. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'nested too deeply';
  }
}
