import { argumentError } from '../../base/errors';
import { didYouMean, nearest } from '../../base/suggest';
import type {
  CacheModel,
  DatasetModel,
  DiskModel,
  FleetModel,
  JobsModel,
  LinkModel,
  SiteModel,
  UseModel,
} from './model';

/** The limits keep a simulation within the memory and the minutes that people have. */
const MAX_SITES = 200;
const MAX_JOBS = 10_000_000;
const MAX_FILES = 10_000_000;
/** An hour: for a round trip, a seek, and the work on an entry. */
const MAX_MS = 3_600_000;
/** The least of what has to be above 0: a time that is divided by it stays a number. */
const LEAST = 1e-6;

/**
 * Reads a model from parsed JSON. Throws XylemError ARGUMENT that names the member, what it is and what it should be.
 */
export function parseFleetModel(json: unknown): FleetModel {
  const model = new Members(json, 'the model');
  const origin = model.object('origin', {});
  const result: FleetModel = {
    seed: model.number('seed', { least: 0, whole: true, or: 0 }),
    origin: {
      mbitPerS: origin.number('mbitPerS', { or: 10_000 }),
      disk: diskOf(origin.object('disk', {})),
      tls: origin.choice('tls', ['none', '1.3', '1.2'], 'none'),
    },
    sites: model.list('sites', MAX_SITES).map(siteOf),
    datasets: model.list('datasets', 1000).map(datasetOf),
    uses: model.list('uses', 1000).map(useOf),
    jobs: jobsOf(model.object('jobs')),
  };
  origin.end();
  model.end();
  const names = new Set(namesOf(result.datasets, 'datasets'));
  namesOf(result.sites, 'sites');
  if (result.uses.every(({ share }) => share === 0)) throw argumentError('The share of each use is 0.');
  for (const { name, dataset } of result.uses) {
    if (names.has(dataset)) continue;
    throw argumentError(`The use "${name}" names the data set "${dataset}", which the model does not have.`);
  }
  return result;
}

/** The names of a list, of which each has its own. */
function namesOf(list: readonly { name: string }[], where: string): string[] {
  const names = list.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again < 0) return names;
  throw argumentError(
    `${where}[${again}].name is "${names[again]}", as that of another one.`,
    'Give each its own name.',
  );
}

function siteOf(site: Members): SiteModel {
  const link = site.object('link');
  const lan = site.object('lan', {});
  const disk = site.object('disk', {});
  const cache = site.object('cache', { kind: 'none' });
  const result: SiteModel = {
    name: site.text('name'),
    slots: site.number('slots', { least: 1, whole: true }),
    speed: site.number('speed', { or: 1 }),
    link: linkOf(link, undefined),
    lan: linkOf(lan, { latencyMs: 0.2, mbitPerS: 10_000 }),
    disk: diskOf(disk),
    storageBytes: site.number('storageBytes', { or: 1e15 }),
    cache: cacheOf(cache),
  };
  site.end();
  return result;
}

function linkOf(link: Members, or: LinkModel | undefined): LinkModel {
  const stream = link.number('streamMbitPerS', { or: Number.POSITIVE_INFINITY });
  const result: LinkModel = {
    latencyMs: link.number('latencyMs', { least: 0, most: MAX_MS, or: or?.latencyMs }),
    mbitPerS: link.number('mbitPerS', { or: or?.mbitPerS }),
    streamMbitPerS: stream === Number.POSITIVE_INFINITY ? undefined : stream,
  };
  link.end();
  return result;
}

function diskOf(disk: Members): DiskModel {
  const result = {
    seekMs: disk.number('seekMs', { least: 0, most: MAX_MS, or: 0 }),
    mbPerS: disk.number('mbPerS', { or: 1000 }),
  };
  disk.end();
  return result;
}

function cacheOf(cache: Members): CacheModel {
  const kind = cache.choice('kind', ['none', 'files', 'blocks', 'ranges']);
  const bytes = kind === 'none' ? 0 : cache.number('bytes');
  const blockBytes =
    kind === 'blocks' ? cache.number('blockBytes', { least: 4096, whole: true, or: 2 ** 20 }) : 0;
  cache.end();
  if (kind === 'none') return { kind };
  return kind === 'blocks' ? { kind, bytes, blockBytes } : { kind, bytes };
}

function datasetOf(dataset: Members): DatasetModel {
  const result: DatasetModel = {
    name: dataset.text('name'),
    file: dataset.text('file'),
    tree: dataset.text('tree', '') || undefined,
    files: dataset.number('files', { least: 1, most: MAX_FILES, whole: true }),
  };
  dataset.end();
  return result;
}

function useOf(use: Members): UseModel {
  const trace = use.text('trace', '');
  const read = use.text('read', trace === '' ? '' : 'recorded');
  if (!/^(|none|readahead|pool|xylem|uproot|recorded|jsroot(:[1-9]\d{0,3})?|cache:\d+(\.\d+)?)$/.test(read)) {
    throw argumentError(
      `${use.name}.read is "${read}".`,
      'It takes none, readahead, pool, uproot, jsroot, xylem, recorded, or cache:MB as in "cache:30".',
    );
  }
  if (read === 'recorded' && trace === '')
    throw argumentError(`${use.name}.read is "recorded", but it names no trace.`);
  const result: UseModel = {
    name: use.text('name'),
    dataset: use.text('dataset'),
    branches: use.texts('branches', []),
    draw: use.text('draw', ''),
    cut: use.text('cut', ''),
    selector: use.text('selector', ''),
    trace,
    part: use.number('part', { most: 1, or: 1 }),
    read,
    cpu: {
      msPerEntry: use.number('cpuMsPerEntry', { least: 0, most: MAX_MS, or: 0 }),
      msPerMB: use.number('cpuMsPerMB', { least: 0, most: MAX_MS, or: 0 }),
    },
    startMs: use.number('startMs', { least: 0, most: MAX_MS, or: 0 }),
    share: use.number('share', { least: 0, or: 1 }),
  };
  use.end();
  const { branches, draw, cut, selector } = result;
  const named = [branches.length > 0, draw !== '', selector !== '', trace !== ''].filter(Boolean);
  if (named.length > 1)
    throw argumentError(`${use.name} names several of branches, draw, selector and trace.`);
  if (cut !== '' && draw === '') throw argumentError(`${use.name}.cut needs draw.`);
  return result;
}

function jobsOf(jobs: Members): JobsModel {
  const result: JobsModel = {
    count: jobs.number('count', { least: 1, most: MAX_JOBS, whole: true }),
    perSecond: jobs.number('perSecond', { or: 0 }),
    filesPerJob: jobs.number('filesPerJob', { least: 1, most: 10_000, whole: true, or: 1 }),
    zipf: jobs.is('zipf', 'each') ? 'each' : jobs.number('zipf', { least: 0, most: 10, or: 0 }),
    placement: jobs.choice('placement', ['any', 'data'], 'any'),
    process: jobs.choice('process', ['new', 'kept'], 'new'),
  };
  jobs.end();
  return result;
}

interface Bounds {
  /** Smallest allowed number; by default one that is above 0. */
  least?: number;
  most?: number;
  whole?: boolean;
  /** Taken if the member is missing. */
  or?: number | undefined;
}

/** The members of an object, each asked for once; `end` refuses those that nobody asked for. */
class Members {
  readonly name: string;
  readonly #members: Map<string, unknown>;
  readonly #asked = new Set<string>();

  constructor(json: unknown, name: string) {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw argumentError(`${name} is ${said(json)}, not an object.`);
    }
    this.name = name;
    this.#members = new Map(Object.entries(json));
  }

  object(key: string, or?: object): Members {
    return new Members(this.#take(key) ?? or, this.#path(key));
  }

  list(key: string, most: number): Members[] {
    const value = this.#take(key);
    if (!Array.isArray(value) || value.length === 0 || value.length > most) {
      throw argumentError(`${this.#path(key)} is ${said(value)}, not a list of 1 to ${most} objects.`);
    }
    return value.map((item, i) => new Members(item, `${this.#path(key)}[${i}]`));
  }

  number(key: string, { least = LEAST, most = Number.MAX_VALUE, whole = false, or }: Bounds = {}): number {
    const value = this.#take(key) ?? or;
    const fits =
      typeof value === 'number' &&
      (value === or || (value >= least && value <= most)) &&
      (!whole || Number.isInteger(value));
    if (fits) return value;
    const kind = whole ? 'a whole number' : 'a number';
    const isTiny = typeof value === 'number' && value > 0 && value < LEAST;
    const from = least === LEAST && !isTiny ? 'above 0' : `from ${least}`;
    const to = most === Number.MAX_VALUE ? '' : ` to ${most}`;
    throw argumentError(`${this.#path(key)} is ${said(value)}, not ${kind} ${from}${to}.`);
  }

  text(key: string, or?: string): string {
    const value = this.#take(key) ?? or;
    if (typeof value === 'string') return value;
    throw argumentError(`${this.#path(key)} is ${said(value)}, not a text.`);
  }

  texts(key: string, or: string[]): string[] {
    const value = this.#take(key) ?? or;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw argumentError(`${this.#path(key)} is ${said(value)}, not a list of texts.`);
  }

  choice<T extends string>(key: string, words: readonly T[], or?: T): T {
    const value = this.#take(key) ?? or;
    const word = words.find((each) => each === value);
    if (word !== undefined) return word;
    throw argumentError(`${this.#path(key)} is ${said(value)}, not one of ${words.join(', ')}.`);
  }

  is(key: string, value: unknown): boolean {
    return this.#members.get(key) === value && this.#asked.add(key) !== undefined;
  }

  /** Throws for a member that does not exist in a model. */
  end(): void {
    for (const key of this.#members.keys()) {
      if (this.#asked.has(key)) continue;
      throw argumentError(`${this.#path(key)} is not known.`, didYouMean(nearest(key, [...this.#asked]), ''));
    }
  }

  #take(key: string): unknown {
    this.#asked.add(key);
    return this.#members.get(key);
  }

  #path(key: string): string {
    return this.name === 'the model' ? key : `${this.name}.${key}`;
  }
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
