import type { Reading } from '../../../../api/reading';
import { Descriptors } from './descriptors';
import { perfReads, type TracedRead, type TraceFormat, unreadable } from './format';

/** A call: process (in one of two forms), time, name, and the text after the opening bracket. */
const CALL = /^(?:\[pid +(\d+)\] |(\d+) +)?(?:(\d[\d:.]*) )?(\w+)\((.*)$/;
/** The end of a call that was interrupted by another one: process, time, name, rest. */
const RESUMED = /^(?:\[pid +(\d+)\] |(\d+) +)?(?:(\d[\d:.]*) )?<\.\.\. (\w+) resumed>(.*)$/;
/** Calls of which at least one is at the beginning of a trace. */
const NAMES = /^(?:openat|open|read|pread64|preadv2?|lseek|close|execve|mmap|brk)$/;
const UNFINISHED = ' <unfinished ...>';
/** Calls that create a process or a thread. */
const FORK = /^(?:clone3?|v?fork)$/;
const COPY = /^dup[23]?$/;
const FILE = /^(\d+)(?:<([^>]*)>)?[,)]/;
/** Arguments, result, its path with -y, and duration of the call. Results of short calls are aligned in a column. */
const RESULT = /^(.*)\) += (-?\d+)(<[^>]*>)?(?:.*<(\d+\.\d+)>)?/;
/** A ROOT file begins with "root" and a zero byte. */
const MAGIC = '"root\\0';

interface Stream {
  name: string | undefined;
  isRoot: boolean;
  position: number;
  reads: TracedRead[];
}

/**
 * The output of `strace -f -tt -e trace=openat,read,pread64,preadv,lseek,close`, to a file or a terminal, with or
 * without -y, with times in any format. Without file names (no openat, no -y) a ROOT file is recognized by its first
 * bytes.
 */
export const straceFormat: TraceFormat = {
  name: 'the output of strace',
  sniff: ({ head }) => head.split('\n').some((line) => NAMES.test(CALL.exec(line)?.[4] ?? '')),
  read(trace) {
    const files: Stream[] = [];
    const open = new Descriptors<Stream>();
    const interrupted = new Map<string, { text: string; time: number }>();
    let clock = 0;
    for (const line of trace.lines()) {
      const resumed = RESUMED.exec(line);
      const [, bracket, plain, time, name = '', rest = ''] = resumed ?? CALL.exec(line) ?? [];
      if (name === '') continue;
      // Without times, reads are numbered in sequence.
      const now = time === undefined ? ++clock : secondsOf(time);
      const process = bracket ?? plain ?? '';
      open.see(process);
      if (rest.endsWith(UNFINISHED)) {
        const text = rest.slice(0, -UNFINISHED.length);
        interrupted.set(process, { text, time: now });
        // The number is free from the beginning of the call.
        if (name === 'close') open.close(process, /^\d+/.exec(text)?.[0] ?? '');
        if (FORK.test(name)) open.beginFork(process, isThread(text));
        continue;
      }
      const before = resumed === null ? undefined : interrupted.get(process);
      if (resumed !== null && (before === undefined || name === 'close')) continue;
      call(
        { process, name, text: (before?.text ?? '') + rest, started: before?.time ?? now, ended: now },
        open,
        files,
        () => trace.count(1),
      );
    }
    // A program may open a file again for each read. Then only the first of these reads has the beginning of the
    // file.
    const roots = new Set(files.filter(({ isRoot }) => isRoot).map(({ name }) => name));
    const isOfRoot = ({ name, isRoot }: Stream) => isRoot || (name !== undefined && roots.has(name));
    const found = files.filter((stream) => isOfRoot(stream) && stream.reads.length > 0);
    if (found.length === 0) {
      throw unreadable(
        trace,
        'no file in it begins as a ROOT file does',
        'Record from the start of the program, with read, pread64, preadv and lseek, best also with openat.',
      );
    }
    // A program may open a file several times: once for its description, or once for each thread.
    const joined = new Map<string | Stream, TracedRead[]>();
    for (const stream of found) {
      const key = stream.name ?? stream;
      const reads = joined.get(key) ?? [];
      for (const read of stream.reads) reads.push(read);
      joined.set(key, reads);
    }
    return [...joined].map(
      ([key, reads]): Reading => ({
        by: 'strace',
        file: typeof key === 'string' ? key : 'a file without a name',
        reads: perfReads(reads),
      }),
    );
  },
};

interface Call {
  process: string;
  name: string;
  /** Arguments, then ") = RESULT", with one blank or several. */
  text: string;
  started: number;
  ended: number;
}

function call(
  { process, name, text, started, ended }: Call,
  open: Descriptors<Stream>,
  files: Stream[],
  count: () => void,
): void {
  const [, given = '', result = '', opened, took] = RESULT.exec(text) ?? [];
  const value = Number(result);
  if (result === '' || value < 0) return;
  if (name === 'openat' || name === 'open') {
    // With -y the result has the absolute path, which is the name in the other calls.
    open.open(process, result, streamOf(opened?.slice(1, -1) ?? quoted(given), files));
    return;
  }
  if (FORK.test(name)) {
    open.endFork(process, result, isThread(given));
    return;
  }
  const [, number = '', path] = FILE.exec(text) ?? [];
  if (number === '') return;
  if (name === 'close') {
    open.close(process, number);
    return;
  }
  if (COPY.test(name) || (name === 'fcntl' && given.includes('F_DUPFD'))) {
    open.copy(process, number, result);
    return;
  }
  let stream = open.find(process, number);
  const startsFile = given.includes(MAGIC);
  // Another file has the number now, because it was closed and another file opened.
  const isOther = stream === undefined || (path !== undefined && stream.name !== path);
  if (stream === undefined || isOther || (startsFile && stream.name === undefined)) {
    // A duplicated number (dup) that is not in the trace continues at the same position.
    const copied = path === undefined ? undefined : open.findOpened(process, (one) => one.name === path);
    stream = copied ?? streamOf(path, files);
    open.open(process, number, stream, false);
  }
  if (name === 'lseek') stream.position = value;
  const offset = offsetOf(name, given, stream.position);
  if (offset === undefined) return;
  if (name === 'read') stream.position += value;
  if (startsFile && offset === 0) stream.isRoot = true;
  if (value === 0) return;
  const done = took === undefined ? Math.max(started, ended) : started + Number(took);
  count();
  stream.reads.push({ ranges: [{ offset, length: value }], origin: 'disk', started, done });
}

/** Whether a call creates a thread, which shares the descriptors, instead of a process. */
function isThread(given: string): boolean {
  return given.includes('CLONE_FILES');
}

/** Returns the first text in quotes. */
function quoted(text: string): string {
  const from = text.indexOf('"') + 1;
  let to = from;
  while (to < text.length && text[to] !== '"') to += text[to] === '\\' ? 2 : 1;
  return text.slice(from, to);
}

function streamOf(name: string | undefined, files: Stream[]): Stream {
  const stream: Stream = { name, isRoot: false, position: 0, reads: [] };
  files.push(stream);
  return stream;
}

/** Returns the position that a call reads from; undefined for calls that do not read. */
function offsetOf(name: string, given: string, position: number): number | undefined {
  if (name === 'read') return position;
  if (!/^pread(64|v2?)$/.test(name)) return undefined;
  // The offset is the last argument; for preadv2 the last but one.
  const words = given.slice(given.lastIndexOf(name === 'pread64' ? '"' : ']')).split(', ');
  const word = name === 'preadv2' ? words.at(-2) : words.at(-1);
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : undefined;
}

/** Parses "07:52:46.974946" or "1795593169.424249" as seconds. */
function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
}
