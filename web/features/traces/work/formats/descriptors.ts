/** A file that a process has or had open. */
interface Entry<Stream> {
  stream: Stream;
  /** The process or thread that opened it. */
  by: string;
  /** Whether the trace contains its opening. */
  wasOpened: boolean;
}
type Table<Stream> = Map<string, Entry<Stream>>;

/**
 * Tracks which file a descriptor number means in each process of a trace. Threads share descriptors; a forked process
 * gets a copy. A trace shows this if it contains clone, fork and vfork. Otherwise all processes share one table,
 * until a process gets a number that another one has open.
 */
export class Descriptors<Stream> {
  readonly #shared: Table<Stream> = new Map();
  readonly #own = new Map<string, Table<Stream>>();
  /** Streams closed by another process. That may have been its copy, and the process that opened it still reads. */
  readonly #left = new Map<string, Stream>();
  readonly #known = new Set<string>();
  readonly #forking = new Map<string, boolean>();
  #hasCloses = false;

  find(process: string, number: string): Stream | undefined {
    return this.#left.get(`${process} ${number}`) ?? this.#tableOf(process).get(number)?.stream;
  }

  /** Returns the most recently opened stream that is still open and for which `isIt` is true. */
  findOpened(process: string, isIt: (stream: Stream) => boolean): Stream | undefined {
    const entries = [...this.#tableOf(process).values()].reverse();
    return entries.find(({ stream, wasOpened }) => wasOpened && isIt(stream))?.stream;
  }

  open(process: string, number: string, stream: Stream, wasOpened = true): void {
    let table = this.#tableOf(process);
    const before = table.get(number);
    // An open number is not assigned again, so this process has a separate table.
    if (wasOpened && this.#hasCloses && before !== undefined && before.by !== process) {
      table = new Map(table);
      this.#own.set(process, table);
    }
    this.#left.delete(`${process} ${number}`);
    // The most recently opened one comes last.
    table.delete(number);
    table.set(number, { stream, by: process, wasOpened });
  }

  close(process: string, number: string): void {
    this.#hasCloses = true;
    if (this.#left.delete(`${process} ${number}`)) return;
    const table = this.#tableOf(process);
    const entry = table.get(number);
    if (entry === undefined) return;
    table.delete(number);
    if (entry.by !== process && table === this.#shared) this.#left.set(`${entry.by} ${number}`, entry.stream);
  }

  /** Makes the second number refer to the file of the first. */
  copy(process: string, from: string, to: string): void {
    const stream = this.find(process, from);
    if (stream !== undefined) this.open(process, to, stream, false);
  }

  /** Notes that a call which creates a thread or process has begun. The new one may run before the call ends. */
  beginFork(process: string, isThread: boolean): void {
    this.#forking.set(process, isThread);
  }

  endFork(process: string, child: string, isThread: boolean): void {
    const begun = this.#forking.get(process) ?? isThread;
    this.#forking.delete(process);
    if (!this.#known.has(child)) this.#start(process, child, begun);
  }

  /** Notes which process makes a call. */
  see(process: string): void {
    if (this.#known.has(process)) return;
    const [parent] = [...this.#forking].reverse();
    if (parent !== undefined && parent[0] !== process) this.#start(parent[0], process, parent[1]);
    else this.#known.add(process);
  }

  #start(parent: string, child: string, isThread: boolean): void {
    this.#known.add(child);
    const table = this.#tableOf(parent);
    if (!isThread) this.#own.set(child, new Map(table));
    else if (table !== this.#shared) this.#own.set(child, table);
  }

  #tableOf(process: string): Table<Stream> {
    return this.#own.get(process) ?? this.#shared;
  }
}
