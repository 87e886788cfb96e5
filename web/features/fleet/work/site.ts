import type { Range } from '../../../io/source';
import type { Clock } from './clock';
import { Disk } from './disk';
import { Kept } from './kept';
import type { Access, DiskModel, LinkModel, OriginModel, SiteModel, Tls } from './model';
import { Link, type Network, type Route } from './network';
import { type FileWork, type ProcessStart, piecesApart, type Step } from './steps';

/** Whole files are copied in parts of this size. Between them, other transfers use the disk. */
const COPY_BYTES = 16e6;
/** Maximum number of units (blocks or steps) in a file, so that all have distinct numbers. */
const UNITS_OF_A_FILE = 2 ** 21;
/** Maximum number of uses, and of jobs recorded in traces. */
const MAX_USES = 16_384;
/** Number of the unit that represents opening the file. */
const OPENING = UNITS_OF_A_FILE - 1;
/** Maximum bytes of one part of an answer to a vector read in XRootD (maxReadv_ior). */
const BATCH_BYTES = 2 ** 21;

/** A file of a data set that jobs read. `index` counts over all data sets. */
export interface FileOf {
  index: number;
  work: FileWork;
  /** Number of the use. Uses that read the same share the ranges that a site keeps. */
  use: number;
}

const TLS_TRIPS: Record<Tls, number> = { none: 0, '1.3': 1, '1.2': 2 };

/** The place that has all files. */
export class Origin {
  readonly disk: Disk;
  readonly link: Link;
  /** Round trips of a new connection: one for TCP, and those of TLS. */
  readonly connectTrips: number;
  requests = 0;

  constructor(clock: Clock, model: OriginModel) {
    this.connectTrips = 1 + TLS_TRIPS[model.tls];
    this.disk = diskOf(clock, model.disk);
    this.link = new Link('origin', bytesPerMs(model.mbitPerS));
  }
}

/** A site with slots for jobs. It reads from its cache or from the origin. */
export class Site {
  readonly disk: Disk;
  readonly wan: Link;
  readonly lan: Link;
  readonly kept: Kept;
  free: number;
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #origin: Origin;
  readonly #far: Route;
  readonly #near: Route;
  /** Kind of units that the site keeps. */
  readonly #keeps: 'none' | 'files' | 'blocks' | 'ranges';
  readonly #blockBytes: number;
  /** Cache: the blocks of each step, because jobs repeat the same steps. */
  readonly #blocks = new Map<Step, Unit[][]>();

  constructor(
    readonly model: SiteModel,
    { clock, network, origin, access }: { clock: Clock; network: Network; origin: Origin; access: Access },
  ) {
    const { cache, link, lan } = model;
    this.#clock = clock;
    this.#network = network;
    this.#origin = origin;
    this.disk = diskOf(clock, model.disk);
    this.wan = new Link(model.name, bytesPerMs(link.mbitPerS));
    this.lan = new Link(`${model.name} LAN`, bytesPerMs(lan.mbitPerS));
    this.#far = network.route([origin.link, this.wan], streamRate(link));
    this.#near = network.route([this.lan], streamRate(lan));
    this.free = model.slots;
    this.#keeps = access === 'push' ? 'files' : cache.kind;
    this.#blockBytes = cache.kind === 'blocks' ? cache.blockBytes : 0;
    const room = access === 'push' ? model.storageBytes : cache.kind === 'none' ? 0 : cache.bytes;
    this.kept = new Kept(room);
  }

  /**
   * The link between a job and its server: the site's own link, or the one from the origin if the site keeps nothing.
   */
  get jobLink(): LinkModel {
    return this.#keeps === 'none' ? this.model.link : this.model.lan;
  }

  /** Whether the site has or is fetching the whole file, which is a reason to run its jobs here. */
  holds(file: number): boolean {
    return this.#keeps === 'files' && this.kept.has(file * UNITS_OF_A_FILE);
  }

  /** Fetches a whole file before its job starts. Calls `done` at once if files are read in parts. */
  stage(file: FileOf, done: () => void): void {
    if (this.#keeps !== 'files') {
      done();
      return;
    }
    const unit = file.index * UNITS_OF_A_FILE;
    const bytes = file.work.fileBytes;
    const state = this.kept.look(unit, bytes, done);
    if (state === 'here') done();
    if (state !== 'missing') return;
    this.kept.expect(unit);
    this.#fetch(file, this.model.link.latencyMs, cutCopy(bytes), () => {
      this.kept.keep(unit, bytes);
      done();
    });
  }

  /** Opens the connections of a new process: to the origin, or, without TLS, to the cache of the site. */
  connect({ connects, logins }: ProcessStart, done: () => void): void {
    const each = this.#keeps === 'none' ? this.#origin.connectTrips : 1;
    this.#clock.after((connects * each + logins) * this.jobLink.latencyMs, done);
  }

  /** Reads the bytes that a step of a job needs. */
  read(owner: unknown, file: FileOf, number: number, done: () => void): void {
    const step = file.work.steps[number] as Step;
    if (this.#keeps === 'none') {
      const wait = step.trips * this.model.link.latencyMs;
      this.#fetch(
        owner,
        wait,
        [{ bytes: step.bytes, pieces: piecesApart(step.pieces), requests: step.trips }],
        done,
      );
      return;
    }
    if (this.#keeps === 'files') {
      this.#local(owner, step.trips, step.bytes, piecesApart(step.pieces), done);
      return;
    }
    const local = () => this.#local(owner, step.trips, step.bytes, piecesApart(step.pieces), done);
    if (step.opens) {
      const opening = { key: file.index * UNITS_OF_A_FILE + OPENING, bytes: 0 };
      this.#bring(owner, [opening], 1, local);
    } else if (this.#keeps === 'ranges') {
      const range = { key: file.index * UNITS_OF_A_FILE + number * MAX_USES + file.use, bytes: step.bytes };
      this.#bring(owner, [range], step.trips, local);
    } else {
      const batches = this.#blocksOf(step, file);
      const next = (i: number): void => {
        const batch = batches[i];
        if (batch === undefined) {
          local();
          return;
        }
        const units = batch.map(({ unit, bytes }) => ({ key: file.index * UNITS_OF_A_FILE + unit, bytes }));
        this.#bring(owner, units, 1, () => next(i + 1));
      };
      next(0);
    }
  }

  /** Returns the blocks of a step, in batches that the cache processes one after another. */
  #blocksOf(step: Step, { work: { fileBytes } }: FileOf): Unit[][] {
    let batches = this.#blocks.get(step);
    if (batches === undefined) {
      const count = Math.max(step.trips, Math.ceil(step.bytes / BATCH_BYTES));
      const asked = new Set<number>();
      batches = cutPieces(step.pieces, step.bytes / count).map((pieces) =>
        blocksOf(pieces, this.#blockBytes, fileBytes).filter(
          ({ unit }) => !asked.has(unit) && asked.add(unit),
        ),
      );
      this.#blocks.set(step, batches);
    }
    return batches;
  }

  /** Fetches the missing ones of these units in `trips` successive requests. Calls `done` when all are here. */
  #bring(
    owner: unknown,
    units: readonly { key: number; bytes: number }[],
    trips: number,
    done: () => void,
  ): void {
    let open = 1;
    const one = () => {
      open--;
      if (open === 0) done();
    };
    const missing: { key: number; bytes: number }[] = [];
    let pieces = 0;
    let before = -2;
    for (const { key, bytes } of units) {
      open++;
      const state = this.kept.look(key, bytes, one);
      if (state === 'here') open--;
      if (state !== 'missing') continue;
      this.kept.expect(key);
      missing.push({ key, bytes });
      if (key !== before + 1) pieces++;
      before = key;
    }
    if (missing.length > 0) {
      const bytes = missing.reduce((sum, unit) => sum + unit.bytes, 0);
      this.#fetch(owner, trips * this.model.link.latencyMs, [{ bytes, pieces, requests: trips }], () => {
        for (const { key, bytes } of missing) {
          this.kept.keep(key, bytes);
          one();
        }
      });
    }
    one();
  }

  /** Reads parts from the origin. Disk and network work at the same time. */
  #fetch(owner: unknown, waitMs: number, parts: readonly Part[], done: () => void): void {
    const next = (i: number) => {
      const part = parts[i];
      if (part === undefined) {
        done();
        return;
      }
      this.#origin.requests += part.requests;
      let open = 2;
      const half = () => {
        open--;
        if (open === 0) next(i + 1);
      };
      this.#origin.disk.use(owner, part.bytes, part.pieces, half);
      this.#network.send(this.#far, part.bytes, half);
    };
    this.#clock.after(waitMs, () => next(0));
  }

  #local(owner: unknown, trips: number, bytes: number, pieces: number, done: () => void): void {
    this.#clock.after(trips * this.model.lan.latencyMs, () => {
      let open = 2;
      const half = () => {
        open--;
        if (open === 0) done();
      };
      this.disk.use(owner, bytes, pieces, half);
      this.#network.send(this.#near, bytes, half);
    });
  }
}

/** A part of a transfer: its bytes, the number of separate pieces of the file, and the number of requests for it. */
interface Part {
  bytes: number;
  pieces: number;
  requests: number;
}

interface Unit {
  unit: number;
  bytes: number;
}

function cutCopy(bytes: number): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes; at += COPY_BYTES)
    parts.push({ bytes: Math.min(COPY_BYTES, bytes - at), pieces: 1, requests: 1 });
  return parts;
}

/** Divides pieces, in order, into groups of about this many bytes. */
function cutPieces(pieces: readonly Range[], most: number): Range[][] {
  const groups: Range[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      if (bytes >= most) {
        groups.push([]);
        bytes = 0;
      }
      const length = Math.min(piece.length - at, Math.max(1, Math.ceil(most - bytes)));
      groups.at(-1)?.push({ offset: piece.offset + at, length });
      bytes += length;
      at += length;
    }
  }
  return groups;
}

/** Returns the blocks that contain the pieces, ascending. */
function blocksOf(pieces: readonly Range[], blockBytes: number, fileBytes: number): Unit[] {
  const blocks = new Set<number>();
  for (const { offset, length } of pieces) {
    const last = Math.floor((offset + Math.max(1, length) - 1) / blockBytes);
    for (let block = Math.floor(offset / blockBytes); block <= last; block++) blocks.add(block);
  }
  return [...blocks]
    .sort((a, b) => a - b)
    .map((unit) => ({ unit, bytes: Math.max(1, Math.min(blockBytes, fileBytes - unit * blockBytes)) }));
}

function diskOf(clock: Clock, { seekMs, mbPerS }: DiskModel): Disk {
  return new Disk(clock, seekMs, mbPerS * 1000);
}

const bytesPerMs = (mbitPerS: number) => mbitPerS * 125;

function streamRate({ streamMbitPerS }: LinkModel): number {
  return streamMbitPerS === undefined ? Number.POSITIVE_INFINITY : bytesPerMs(streamMbitPerS);
}
