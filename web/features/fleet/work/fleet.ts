import { Clock } from './clock';
import type { Access, FleetModel, JobsModel, LinkModel } from './model';
import { type Link, Network } from './network';
import { randomNumbers, weighted } from './random';
import { type FileOf, Origin, Site } from './site';
import type { FileWork, Step } from './steps';

export interface UseWork {
  /** Index of its data set in the model. */
  dataset: number;
  /** Uses with the same number read the same ranges. */
  reads: number;
  /** Returns the work for one file over a link. Returns the same object for links on which it is the same. */
  work(link: LinkModel): FileWork;
  share: number;
}

export interface LinkReport {
  name: string;
  bytes: number;
  /** Average use as a fraction of its rate, until the last job ended. */
  load: number;
}

export interface SiteReport {
  name: string;
  jobs: number;
  /** Computing time divided by the time of occupied slots. */
  cpuEfficiency: number;
  /** Fraction of the requested bytes that the site had or was already fetching; undefined without a cache. */
  hitRate: number | undefined;
  evictedBytes: number;
  diskLoad: number;
}

/** The state of a simulation at one time. */
export interface FleetSample {
  seconds: number;
  running: number;
  ended: number;
  originBytes: number;
}

export interface FleetReport {
  access: Access;
  jobs: number;
  /** Time until the last job has ended, in s. */
  seconds: number;
  cpuEfficiency: number;
  /** Time from arrival to end, in s: the mean, and the 95 % quantile. */
  meanSeconds: number;
  p95Seconds: number;
  /** Mean time from arrival to a slot, in s. */
  waitSeconds: number;
  links: LinkReport[];
  /** Successive requests count individually, and so does each part of 16 MB of a copied file. */
  origin: { requests: number; bytes: number; seeks: number; diskLoad: number };
  sites: SiteReport[];
  samples: FleetSample[];
}

interface Job {
  arrived: number;
  started: number;
  use: UseWork;
  /** Indices of its files in their data set. */
  files: number[];
}

export interface FleetRun {
  /** Runs at most about `events` events. Returns false when the simulation has ended. */
  advance(events: number): boolean;
  /** Number of jobs that have ended. */
  readonly ended: number;
  report(): FleetReport;
}

const SAMPLES = 400;

/** Starts a simulation. `works` has one item for each use of the model. */
export function startFleet(model: FleetModel, works: readonly UseWork[], access: Access): FleetRun {
  const isNew = model.jobs.process === 'new';
  const clock = new Clock();
  const network = new Network(clock);
  const origin = new Origin(clock, model.origin);
  const sites = model.sites.map((site) => new Site(site, { clock, network, origin, access }));
  const counts = sites.map(() => ({ jobs: 0, cpuMs: 0, slotMs: 0 }));
  const bases: number[] = [];
  model.datasets.reduce((base, { files }, i) => {
    bases[i] = base;
    return base + files;
  }, 0);
  const waiting: Job[] = [];
  let taken = 0;
  const durations: number[] = [];
  let waitMs = 0;
  let running = 0;
  const samples: FleetSample[] = [];
  const every = Math.max(1, Math.floor(model.jobs.count / SAMPLES));

  function arrive(job: Job): void {
    waiting.push(job);
    place();
  }

  function place(): void {
    for (; taken < waiting.length; taken++) {
      const job = waiting[taken] as Job;
      const site = chooseSite(sites, model.jobs, fileNumber(job, 0));
      if (site === undefined) return;
      start(job, site);
    }
  }

  function fileNumber({ use, files }: Job, i: number): number {
    return (bases[use.dataset] ?? 0) + (files[i] as number);
  }

  function start(job: Job, place: number): void {
    const site = sites[place] as Site;
    site.free--;
    running++;
    job.started = clock.now;
    waitMs += job.started - job.arrived;
    runFiles(site, job, 0, () => end(job, place));
  }

  function end(job: Job, place_: number): void {
    const count = counts[place_];
    const site = sites[place_];
    if (count === undefined || site === undefined) return;
    site.free++;
    running--;
    count.jobs++;
    count.slotMs += clock.now - job.started;
    const { steps, start } = job.use.work(site.jobLink);
    if (isNew) count.cpuMs += start.cpuMs / site.model.speed;
    for (const { cpuMs } of steps) count.cpuMs += (cpuMs * job.files.length) / site.model.speed;
    durations.push(clock.now - job.arrived);
    if (durations.length % every === 0 || durations.length === model.jobs.count) {
      const [seconds, ended] = [clock.now / 1000, durations.length];
      samples.push({ seconds, running, ended, originBytes: origin.link.bytes });
    }
    place();
  }

  function runFiles(site: Site, job: Job, i: number, done: () => void): void {
    if (i === job.files.length) {
      done();
      return;
    }
    const { use } = job;
    const file: FileOf = { index: fileNumber(job, i), work: use.work(site.jobLink), use: use.reads };
    const isFirst = isNew && i === 0;
    const read = () => runSteps(site, file, isFirst, () => runFiles(site, job, i + 1, done));
    site.stage(file, isFirst ? () => startProcess(site, file, read) : read);
  }

  function startProcess(site: Site, { work: { start } }: FileOf, done: () => void): void {
    clock.after(start.cpuMs / site.model.speed, () => site.connect(start, done));
  }

  /** Reads steps, at most `ahead` of the step that is being computed, and computes them in order. */
  function runSteps(site: Site, file: FileOf, isFirst: boolean, done: () => void): void {
    const { steps, ahead } = file.work;
    const owner = {};
    let read = 0;
    let computed = 0;
    let reading = false;
    let computing = false;
    const goOn = () => {
      if (!reading && read < steps.length && read <= computed + ahead) {
        reading = true;
        const next = () => {
          reading = false;
          read++;
          goOn();
        };
        if (steps[read]?.isFirst && !isFirst) clock.after(0, next);
        else site.read(owner, file, read, next);
      }
      if (!computing && computed < read) {
        computing = true;
        clock.after((steps[computed] as Step).cpuMs / site.model.speed, () => {
          computing = false;
          computed++;
          if (computed === steps.length) done();
          else goOn();
        });
      }
    };
    goOn();
  }

  scheduleJobs(model, works, clock, arrive);
  return {
    advance(events) {
      for (let i = 0; i < events; i++) if (!clock.step()) return false;
      return true;
    },
    get ended() {
      return durations.length;
    },
    report() {
      const ms = Math.max(clock.now, Number.MIN_VALUE);
      const link = ({ name, bytes, bytesPerMs }: Link): LinkReport => ({
        name,
        bytes,
        load: bytes / bytesPerMs / ms,
      });
      const sorted = durations.slice().sort((a, b) => a - b);
      const total = { cpuMs: sum(counts, ({ cpuMs }) => cpuMs), slotMs: sum(counts, ({ slotMs }) => slotMs) };
      const { disk } = origin;
      return {
        access,
        jobs: durations.length,
        seconds: clock.now / 1000,
        cpuEfficiency: total.cpuMs / Math.max(total.slotMs, Number.MIN_VALUE),
        meanSeconds: sum(sorted, (each) => each) / sorted.length / 1000,
        p95Seconds: (sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0) / 1000,
        waitSeconds: waitMs / sorted.length / 1000,
        links: [origin.link, ...sites.flatMap(({ wan, lan }) => [wan, lan])].map(link),
        origin: {
          requests: origin.requests,
          bytes: disk.bytes,
          seeks: disk.seeks,
          diskLoad: disk.busyMs / ms,
        },
        sites: sites.map(({ model: { name }, kept, disk }, i) => {
          const { jobs = 0, cpuMs = 0, slotMs = 0 } = counts[i] ?? {};
          return {
            name,
            jobs,
            cpuEfficiency: slotMs > 0 ? cpuMs / slotMs : 0,
            hitRate: kept.asked > 0 ? kept.hit / kept.asked : undefined,
            evictedBytes: kept.evicted,
            diskLoad: disk.busyMs / ms,
          };
        }),
        samples,
      };
    },
  };
}

/**
 * Returns the site for the next job: the one with the most free slots, or one that has the file; undefined if none is
 * free.
 */
function chooseSite(sites: readonly Site[], { placement }: JobsModel, file: number): number | undefined {
  let best: number | undefined;
  let most = 0;
  sites.forEach((site, i) => {
    if (site.free === 0) return;
    // Having the file outweighs any number of free slots.
    const weight = site.free / site.model.slots + (placement === 'data' && site.holds(file) ? 2 : 0);
    if (weight <= most) return;
    most = weight;
    best = i;
  });
  return best;
}

/** Schedules the arrival of the jobs, each with its use and files. */
function scheduleJobs(
  model: FleetModel,
  works: readonly UseWork[],
  clock: Clock,
  arrive: (job: Job) => void,
): void {
  const random = randomNumbers(model.seed);
  const { count, perSecond, filesPerJob, zipf } = model.jobs;
  const chooseUse = weighted(works.map(({ share }) => share));
  const popular = model.datasets.map(({ files }) =>
    weighted(Float64Array.from({ length: files }, (_, i) => (zipf === 'each' ? 1 : (i + 1) ** -zipf))),
  );
  const turn = model.datasets.map(() => 0);
  const next = (left: number) => {
    const use = works[chooseUse(random())] as UseWork;
    const files = model.datasets[use.dataset]?.files ?? 1;
    const job: Job = { arrived: clock.now, started: 0, use, files: [] };
    for (let i = 0; i < filesPerJob; i++) {
      if (zipf === 'each') {
        const number = turn[use.dataset] ?? 0;
        turn[use.dataset] = (number + 1) % files;
        job.files.push(number);
      } else job.files.push(popular[use.dataset]?.(random()) ?? 0);
    }
    if (left > 1)
      clock.after(perSecond > 0 ? (-Math.log(1 - random()) / perSecond) * 1000 : 0, () => next(left - 1));
    arrive(job);
  };
  clock.after(0, () => next(count));
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
