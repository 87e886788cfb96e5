import { linkSignals, raceAbort } from '../../base/abort';
import { argumentError, type ErrorCode, toXylemError, XylemError } from '../../base/errors';
import { checkRead, subtract, totalLength, union } from '../ranges';
import { splitScheme } from '../schemes';
import type { ByteSource, Range, ServerTrouble, SourceInfo } from '../source';

/** Facts of the start of a file that are equal in all replicas. */
export interface Identity {
  uuid: string;
  /** Number of bytes that the header gives the file. */
  end: number;
  modified: string;
}

/** One address of a file. */
export interface Replica {
  /** For messages, without secrets. */
  name: string;
  /** Makes its source. `brief`: it gives up soon, because others can be read instead. */
  open(brief: boolean): Promise<ByteSource>;
}

export interface ReplicaOptions {
  /** Name of the file in messages and results. */
  name: string;
  /** Size in bytes that the list of replicas gives the file. */
  size?: number | undefined;
  /** Number of bytes at the start of the file that `identify` needs. */
  headBytes: number;
  /** See ByteSource. */
  blockBytes?: number | undefined;
  /** Parses the start of a file. Throws if it is not a ROOT file. */
  identify(head: Uint8Array, size: number | undefined): Promise<Identity>;
  /** Time in ms without an answer after which another replica is read. Default: 10,000. */
  patienceMs?: number | undefined;
}

const PATIENCE_MS = 10_000;

/** Errors that another replica would give, too, or that say nothing about the replica. */
const FINAL: readonly ErrorCode[] = ['ABORTED', 'BUDGET', 'INTERNAL', 'CORE_LOST', 'NOT_REPLICA'];
/** Errors that may be over soon. */
const TEMPORARY: readonly ErrorCode[] = ['NETWORK', 'TIMEOUT', 'HTTP_STATUS', 'HTTP_LENGTH'];

/** Servers that did not answer are asked last for this time in ms, so that a list does not wait for them again for each file. */
const AVOIDED_MS = 300_000;

/** When servers stopped answering, by the start of their addresses. */
const silent = new Map<string, number>();

function serverOf(name: string): string | undefined {
  const host = splitScheme(name)?.rest.split('/', 1)[0];
  return host === undefined || host === '' ? undefined : host;
}

function isSilent({ name }: Replica): boolean {
  const since = silent.get(serverOf(name) ?? '');
  return since !== undefined && performance.now() - since < AVOIDED_MS;
}

/** A replica that is read. */
interface Open {
  replica: Replica;
  source: ByteSource;
  brief: boolean;
  /** It was compared with the replica that was read first, or is that one. */
  isProven: boolean;
  /** Ranges that it gave, without those that were wrong. */
  given: Range[];
}

interface Reference {
  head: Uint8Array;
  identity: Identity;
  size: number | undefined;
  replica: Replica;
}

/**
 * Reads a file that has several copies. If one fails or does not answer, the next one is read, after its start was
 * compared with what was read before: UUID, size, time of writing and bytes have to be equal. Throws NOT_REPLICA for a copy that is
 * another file; if no replica can be read, the error of the first one, with those of the others in its message.
 */
export class ReplicaSource implements ByteSource {
  readonly name: string;
  readonly concurrency = 6;
  readonly origin = 'network';
  readonly blockBytes: number | undefined;
  readonly #replicas: readonly Replica[];
  readonly #options: ReplicaOptions;
  /** Those that are tried next; one that was read before is still open. */
  #next: { replica: Replica; brief: boolean; open?: Open }[] = [];
  #failures: { replica: Replica; error: XylemError }[] = [];
  /** Whether no replica could be read. */
  #isOver = false;
  #open: Promise<Open> | undefined;
  #current: Open | undefined;
  #reference: Reference | undefined;
  /** All that were opened. Readers may keep bytes of those that are read no more, and reads of them may still be under way. */
  readonly #opened: Open[] = [];
  readonly #closed = new AbortController();

  /** Throws ARGUMENT if there is no replica. */
  constructor(replicas: readonly Replica[], options: ReplicaOptions) {
    if (replicas.length === 0) throw argumentError(`"${options.name}" has no address that can be read.`);
    this.name = options.name;
    this.blockBytes = options.blockBytes;
    this.#replicas = replicas;
    this.#options = options;
    this.#start();
  }

  #start(): void {
    const all = this.#replicas;
    const sorted = [...all.filter((one) => !isSilent(one)), ...all.filter(isSilent)];
    this.#next = sorted.map((replica) => ({ replica, brief: all.length > 1 }));
    this.#failures = [];
    this.#isOver = false;
    this.#open = undefined;
  }

  get #headBytes(): number {
    return this.blockBytes ?? this.#options.headBytes;
  }

  /** The size only: replicas have different validators, so UUID, end and time of writing say whether the file has changed. */
  info(): SourceInfo {
    return { size: this.#reference?.size ?? this.#current?.source.info().size };
  }

  begin(): void {
    if (this.#isOver) this.#start();
    this.#current?.source.begin?.();
  }

  trouble(): ServerTrouble | undefined {
    return this.#current?.source.trouble?.();
  }

  get maxParts(): number {
    return this.#current?.isProven ? (this.#current.source.maxParts ?? 0) : 0;
  }

  get unverified(): number {
    return this.#current?.source.unverified ?? 0;
  }

  async read(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Uint8Array> {
    checkRead({ offset, length }, signal);
    if (offset === 0 && this.#current === undefined) {
      // The start is read before everything else.
      this.#open ??= this.#openNext();
      await raceAbort(this.#open, signal);
      const { head = new Uint8Array(0) } = this.#reference ?? {};
      if (length <= head.length || head.length < this.#headBytes) return head.slice(0, length);
    }
    return this.#from(signal, onAnswer, async (open, own, answered) => {
      const bytes = await open.source.read(offset, length, own, answered);
      noteGiven(open, { offset, length });
      return bytes;
    });
  }

  readParts(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean> {
    const missing = new Map(ranges.map((range, index) => [index, range]));
    return this.#from(signal, onAnswer, async (open, own, answered) => {
      const asked = [...missing];
      if (asked.length === 0) return true;
      const part = (at: number, bytes: Uint8Array): void => {
        const [index, range] = asked[at] ?? [-1];
        if (!missing.delete(index)) return;
        if (range) noteGiven(open, range);
        onPart(index, bytes);
      };
      return (
        (await open.source.readParts?.(
          asked.map(([, range]) => range),
          part,
          own,
          answered,
        )) ?? false
      );
    });
  }

  readAgain(signal?: AbortSignal, onAnswer?: () => void): Promise<number> {
    return this.#from(
      signal,
      onAnswer,
      async ({ source }, own, answered) => (await source.readAgain?.(own, answered)) ?? 0,
    );
  }

  async checkUnchanged(): Promise<void> {
    await this.#current?.source.checkUnchanged?.();
  }

  /** Bytes that were wrong are read from another replica, if there is one. */
  forget(ranges: readonly Range[]): void {
    const current = this.#current;
    current?.source.forget?.(ranges);
    const wrong = union(ranges);
    // The reader may have them from a replica that is read no more: the one in use may be right then.
    const isOfBefore = this.#opened.filter((one) => one !== current && takeBack(one, wrong)).length > 0;
    const isOwn = current !== undefined && takeBack(current, wrong);
    if (isOfBefore || !isOwn || !current.isProven || this.#next.length === 0) return;
    const { replica } = current;
    this.#failures.push({
      replica,
      error: new XylemError({ code: 'CHECKSUM', message: 'Its bytes are damaged.' }),
    });
    // It may be the better one in other places.
    current.brief = false;
    this.#next.push({ replica, brief: false, open: current });
    this.#leave();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#next = [];
    await this.#open?.catch(() => undefined);
    await Promise.all(this.#opened.map(({ source }) => source.close?.()?.catch(() => {})));
  }

  /** Reads from the replica in use, and from the next one if it fails. */
  async #from<T>(
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
    read: (open: Open, signal: AbortSignal, onAnswer: () => void) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      this.#open ??= this.#openNext();
      const open = await raceAbort(this.#open, signal);
      try {
        return await this.#soon(open, signal, onAnswer, (_, own, answered) => read(open, own, answered));
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (FINAL.includes(error.code) || error.code === 'TRUNCATED' || error.code === 'ARGUMENT')
          throw error;
        this.#giveWay(open, error);
      }
    }
  }

  /** Calls `read`, and throws TIMEOUT if no byte comes for some time while other replicas are left. */
  async #soon<T>(
    { source, brief }: Pick<Open, 'source' | 'brief'>,
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
    read: (source: ByteSource, signal: AbortSignal, onAnswer: () => void) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const { patienceMs = PATIENCE_MS } = this.#options;
    const timer = brief ? setTimeout(() => late.abort(), patienceMs) : undefined;
    const linked = linkSignals(signal, late.signal);
    const answered = (): void => {
      clearTimeout(timer);
      onAnswer?.();
    };
    try {
      return await read(source, linked.signal, answered);
    } catch (thrown) {
      if (!late.signal.aborted || signal?.aborted) throw thrown;
      throw new XylemError({
        code: 'TIMEOUT',
        message: `No byte came for ${patienceMs / 1000} s.`,
        fix: 'Try again later.',
      });
    } finally {
      clearTimeout(timer);
      linked.dispose();
    }
  }

  /** Leaves a replica, unless this was done already. */
  #giveWay(open: Open, error: XylemError): void {
    if (this.#current !== open) return;
    this.#noteFailure(open, error);
    this.#leave();
  }

  #leave(): void {
    this.#current = undefined;
    this.#open = undefined;
  }

  #noteFailure({ replica, brief }: Pick<Open, 'replica' | 'brief'>, error: XylemError): void {
    this.#failures.push({ replica, error });
    const server = serverOf(replica.name);
    if (server !== undefined && (error.code === 'NETWORK' || error.code === 'TIMEOUT'))
      silent.set(server, performance.now());
    if (brief && TEMPORARY.includes(error.code)) this.#next.push({ replica, brief: false });
  }

  /** Opens the next replica that can be read and compares it. Throws if there is none. */
  async #openNext(): Promise<Open> {
    for (;;) {
      const next = this.#next.shift();
      if (next === undefined) {
        this.#isOver = true;
        throw this.#failed();
      }
      const { replica, brief } = next;
      if (next.open) {
        this.#current = next.open;
        return next.open;
      }
      let source: ByteSource;
      try {
        source = await replica.open(brief);
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (FINAL.includes(error.code)) throw error;
        this.#failures.push({ replica, error });
        continue;
      }
      const open: Open = {
        ...{ replica, source, brief: brief && this.#next.length > 0 },
        ...{ isProven: false, given: [] },
      };
      this.#opened.push(open);
      try {
        await this.#prove(open);
        this.#current = open;
        silent.delete(serverOf(replica.name) ?? '');
        return open;
      } catch (thrown) {
        const error = toXylemError(thrown);
        this.#noteFailure({ replica, brief }, error);
        if (FINAL.includes(error.code)) throw error;
      }
    }
  }

  /** Compares the start of a replica with that of the first one. Throws NOT_REPLICA. */
  async #prove(open: Open): Promise<void> {
    const { source, replica } = open;
    const { identify, size: listed } = this.#options;
    const head = await this.#soon(open, this.#closed.signal, undefined, (from, own, answered) =>
      from.read(0, this.#headBytes, own, answered),
    );
    const { size } = source.info();
    const identity = await identify(head, size);
    if (size !== undefined && size < identity.end && this.#next.length > 0)
      throw new XylemError({
        code: 'TRUNCATED',
        message: `It has ${size} bytes, but its header says that it ends at byte ${identity.end}.`,
      });
    if (listed !== undefined && listed !== (size ?? identity.end))
      throw notReplica(
        `${replica.name} has ${size ?? identity.end} bytes, but the list says that ${this.name} has ${listed}.`,
      );
    const first = this.#reference;
    const difference = first && differenceOf(first, { head, identity, size });
    if (difference !== undefined) {
      const [one, other] = difference.values;
      throw notReplica(
        `${first?.replica.name} and ${replica.name} are not the same file: the ${difference.what} is ${one} in the first and ${other} in the second.`,
      );
    }
    noteGiven(open, { offset: 0, length: head.length });
    this.#reference = first ?? { head, identity, size, replica };
    open.isProven = true;
  }

  #failed(): XylemError {
    const [first] = this.#failures;
    const texts = new Map(this.#failures.map(({ replica, error }) => [replica.name, error.message]));
    const all = [...texts].map(([name, text]) => (text.includes(name) ? text : `${name}: ${text}`));
    return new XylemError({
      code: first?.error.code ?? 'IO',
      message: `No replica of ${this.name} can be read. ${all.join(' ')}`,
      ...(first?.error.fix !== undefined && { fix: first.error.fix }),
      where: { url: this.name },
      cause: first?.error,
    });
  }
}

/** Number of ranges after which those that touch are joined. */
const MANY = 1000;

/** Notes bytes that a replica gave. */
function noteGiven(open: Open, range: Range): void {
  open.given.push(range);
  if (open.given.length % MANY === 0) open.given = union(open.given);
}

/** Takes wrong bytes from those that a replica gave. Returns whether it gave any of them. */
function takeBack(open: Open, wrong: readonly Range[]): boolean {
  const given = union(open.given);
  open.given = subtract(given, wrong);
  return totalLength(open.given) < totalLength(given);
}

type Facts = Pick<Reference, 'head' | 'identity' | 'size'>;

function differenceOf(one: Facts, other: Facts): { what: string; values: [unknown, unknown] } | undefined {
  const sizes: [unknown, unknown] = [one.size, other.size];
  const facts: [string, unknown, unknown][] = [
    ['UUID', one.identity.uuid, other.identity.uuid],
    ['end in the header', one.identity.end, other.identity.end],
    ['time of writing', one.identity.modified, other.identity.modified],
    ...(sizes.includes(undefined) ? [] : [['size in bytes', ...sizes] as [string, unknown, unknown]]),
  ];
  const found = facts.find(([, a, b]) => a !== b);
  if (found) return { what: found[0], values: [found[1], found[2]] };
  const length = Math.min(one.head.length, other.head.length);
  for (let i = 0; i < length; i++)
    if (one.head[i] !== other.head[i]) return { what: `byte ${i}`, values: [one.head[i], other.head[i]] };
  return undefined;
}

function notReplica(message: string): XylemError {
  return new XylemError({
    code: 'NOT_REPLICA',
    message,
    fix: 'Replicas are copies of one file with the same UUID and size: correct the list.',
  });
}
