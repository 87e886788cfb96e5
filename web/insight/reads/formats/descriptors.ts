/** A file that a process has open, or had. */
interface Entry<Stream> {
  stream: Stream;
  /** The process or thread that opened it. */
  by: string;
  /** Its opening stands in the trace. */
  wasOpened: boolean;
}
type Table<Stream> = Map<string, Entry<Stream>>;

/**
 * Which file a number of a descriptor means in which process of a trace. Threads share their descriptors, and a forked process
 * has a copy of them. A trace says which is which where it has clone, fork and vfork. Otherwise all share one table, until a
 * number is given to one process while another has it open.
 */
export class Descriptors<Stream> {
  readonly #shared: Table<Stream> = new Map();
  readonly #own = new Map<string, Table<Stream>>();
  /** Streams that another process closed: its copy, perhaps, so that the process that opened it still reads. */
  readonly #left = new Map<string, Stream>();
  readonly #known = new Set<string>();
  readonly #forking = new Map<string, boolean>();
  #hasCloses = false;

  find(process: string, number: string): Stream | undefined {
    return this.#left.get(`${process} ${number}`) ?? this.#tableOf(process).get(number)?.stream;
  }

  /** The stream that was opened last, and still is, of which `isIt` is true. */
  findOpened(process: string, isIt: (stream: Stream) => boolean): Stream | undefined {
    const entries = [...this.#tableOf(process).values()].reverse();
    return entries.find(({ stream, wasOpened }) => wasOpened && isIt(stream))?.stream;
  }

  open(process: string, number: string, stream: Stream, wasOpened = true): void {
    let table = this.#tableOf(process);
    const before = table.get(number);
    // A number that is open is not given again: this process has a table of its own.
    if (wasOpened && this.#hasCloses && before !== undefined && before.by !== process) {
      table = new Map(table);
      this.#own.set(process, table);
    }
    this.#left.delete(`${process} ${number}`);
    // The one that was opened last comes last.
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

  /** The second number means what the first one does. */
  copy(process: string, from: string, to: string): void {
    const stream = this.find(process, from);
    if (stream !== undefined) this.open(process, to, stream, false);
  }

  /** A call that makes a thread or process has begun; the new one may run before the call ends. */
  beginFork(process: string, isThread: boolean): void {
    this.#forking.set(process, isThread);
  }

  endFork(process: string, child: string, isThread: boolean): void {
    const begun = this.#forking.get(process) ?? isThread;
    this.#forking.delete(process);
    if (!this.#known.has(child)) this.#start(process, child, begun);
  }

  /** Takes note of who makes a call. */
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
