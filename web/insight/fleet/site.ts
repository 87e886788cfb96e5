import type { Range } from '../../io/source';
import type { Clock } from './clock';
import { Disk } from './disk';
import { Kept } from './kept';
import type { Access, DiskModel, LinkModel, OriginModel, SiteModel, Tls } from './model';
import { Link, type Network, type Route } from './network';
import { type FileWork, type ProcessStart, piecesApart, type Step } from './steps';

/** Whole files are copied in parts of this many bytes, between which other transfers get the disk. */
const COPY_BYTES = 16e6;
/** A file of at most 2^21 units, blocks or steps, has numbers of its own for them. */
const UNITS_OF_A_FILE = 2 ** 21;
/** The limit of uses, and of jobs that traces recorded. */
const MAX_USES = 16_384;
/** The number of the unit for opening the file. */
const OPENING = UNITS_OF_A_FILE - 1;
/** An XRootD server answers a vector read in parts of at most this many bytes (maxReadv_ior). */
const BATCH_BYTES = 2 ** 21;

/** A file of a data set, as jobs read it: `index` counts over all data sets. */
export interface FileOf {
  index: number;
  work: FileWork;
  /** Number of the use: uses that read alike share the ranges that a site keeps. */
  use: number;
}

const TLS_TRIPS: Record<Tls, number> = { none: 0, '1.3': 1, '1.2': 2 };

/** The place from which all files come. */
export class Origin {
  readonly disk: Disk;
  readonly link: Link;
  /** Round trips of a new connection: one of TCP, and those of TLS. */
  readonly connectTrips: number;
  requests = 0;

  constructor(clock: Clock, model: OriginModel) {
    this.connectTrips = 1 + TLS_TRIPS[model.tls];
    this.disk = diskOf(clock, model.disk);
    this.link = new Link('origin', bytesPerMs(model.mbitPerS));
  }
}

/** A site with slots for jobs: where its jobs' bytes come from. */
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
  /** Files or blocks, or nothing. */
  readonly #keeps: 'none' | 'files' | 'blocks' | 'ranges';
  readonly #blockBytes: number;
  /** The blocks of steps: jobs read the same ones again and again. */
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

  /** The link between a job and its server: the site's own, or the one from the origin if the site keeps nothing. */
  get jobLink(): LinkModel {
    return this.#keeps === 'none' ? this.model.link : this.model.lan;
  }

  /** Whether the file is here or on its way: a reason to run its jobs here. Only whole files count. */
  holds(file: number): boolean {
    return this.#keeps === 'files' && this.kept.has(file * UNITS_OF_A_FILE);
  }

  /** Makes a whole file ready before its job starts. Does so at once if files are read in parts. */
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

  /** Opens the connections of a new process, to the origin or, without TLS, to what the site keeps. */
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

  /** The blocks of a step, in batches that the cache looks for one after another. */
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

  /** Brings what is missing of these units with `trips` requests one after another; `done` when all are here. */
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

  /** From the origin: disk and network work at the same time, part by part. */
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

/** A part of a transfer: its bytes, the pieces of the file that do not touch each other, and the requests for it. */
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

/** Divides pieces, in their order, into groups of about this many bytes. */
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

/** The blocks that hold the pieces, ascending. */
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
