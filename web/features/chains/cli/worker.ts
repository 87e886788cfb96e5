import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { version } from '../../../../package.json';
import { argumentError, toXylemError, type XylemError } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import { parseWhole, UsageError } from '../../../cli/arguments';
import { type Command, command } from '../../../cli/command';
import type { Context } from '../../../cli/context';
import { helpOption, valued } from '../../../cli/options';
import { descriptorOutput } from '../../../cli/process/descriptor-output';
import { runCommandLine } from '../../../cli/process/run';
import { TextOutput } from '../../../cli/terminal/output';
import { recordOf } from '../../../measure/json';

/** Version of the protocol, which the first line names. */
const PROTOCOL = 1;
/** Maximum length of a command line in characters, and of what it prints in bytes. */
const MAX_LINE = 16 * 1024 * 1024;
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Commands that use standard input and output themselves, or that do not end. */
const REFUSED = ['mcp', 'serve', 'worker'];
const STDOUT = 1;

export const workerCommand: Command = command({
  usage: [''],
  about: `Runs command lines that another program sends, one after the other, in one process: what starts tasks of a farm keeps
one for each core, in place of starting a process for each task. The adapters of Dask, Ray, Spark and concurrent.futures do.
Each line on standard input is {"id": ID, "args": ["draw", "a.root", …]}, each line on standard output an answer. It ends with
its standard input.`,
  examples: [
    ['', 'waits for lines such as {"id": 1, "args": ["draw", "sample.root", "Events", "Muon_pt", "--json"]}'],
    ['--idle 300', 'ends when nothing came for five minutes'],
  ],
  options: {
    idle: valued('SECONDS', 'end after this time without a command line; default: wait for the next one'),
    ...helpOption,
  },
  notes: `The first line is {"xylem": VERSION, "protocol": 1, "pid"}. An answer is {"id", "status", "out", "err"}: the exit status of
the command line, and what it printed; a failure has its "error", too: {"message", "code", "fix", "where"}. "out" of a line names a file that takes what is
printed, which then may have any length. Paths are relative to the folder that the process was started in. Command lines cannot read standard input. A selector and the files that it reads
have to stay as they were when they were first used: one that has changed is an error.`,
  async run({ idle }, words, context) {
    if (words.length > 0) throw new UsageError(`"${words[0]}" is one argument too many.`);
    const idleMs = idle === undefined ? undefined : 1000 * parseWhole(idle, '--idle', 1, 1_000_000);
    // Selectors may print, which would be read as answers.
    process.stdout.write = process.stderr.write.bind(process.stderr);
    const answers = new TextOutput(descriptorOutput(STDOUT));
    answers.setForm('json');
    await put(answers, { xylem: version, protocol: PROTOCOL, pid: process.pid });
    for await (const line of linesWithin(idleMs)) await put(answers, await answerTo(line, context));
    await answers.end();
    return 0;
  },
});

async function put(answers: TextOutput, answer: object): Promise<void> {
  answers.line(JSON.stringify(answer));
  await answers.flush();
}

/** Yields the lines of standard input, until it ends or nothing comes for some time. */
async function* linesWithin(idleMs: number | undefined): AsyncGenerator<string, void, undefined> {
  const input = process.stdin.setEncoding('utf8');
  let begun = '';
  try {
    for (;;) {
      const piece = input.read() as string | null;
      if (piece === null) {
        if (input.readableEnded || input.destroyed) break;
        if (!(await moreWithin(input, idleMs))) return;
        continue;
      }
      const lines = (begun + piece).split('\n');
      begun = lines.pop() ?? '';
      if (begun.length > MAX_LINE)
        throw argumentError(`A line has more than ${formatBytes(MAX_LINE)}, which is no command line.`);
      for (const line of lines) if (line.trim() !== '') yield line;
    }
    if (begun.trim() !== '') yield begun;
  } finally {
    input.destroy();
  }
}

/** Waits until the stream has more or ends. Returns false if that takes too long. */
async function moreWithin(input: NodeJS.ReadableStream, idleMs: number | undefined): Promise<boolean> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = idleMs === undefined ? undefined : setTimeout(() => controller.abort(), idleMs);
  try {
    await Promise.race(['readable', 'end', 'error'].map((event) => once(input, event, { signal })));
    return true;
  } catch (thrown) {
    if (signal.aborted) return false;
    throw thrown;
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** Runs one command line. Never throws. */
async function answerTo(line: string, context: Context): Promise<object> {
  let id: unknown;
  try {
    const asked = askedIn(line);
    id = asked.id;
    const [out, err] = [new Kept(), new Kept()];
    const file = asked.out === undefined ? undefined : createWriteStream(asked.out);
    const notes = new TextOutput(err);
    let failure: XylemError | undefined;
    const status = await runCommandLine(asked.args, {
      ...(context.bare ?? context),
      out: new TextOutput(file ?? out),
      err: notes,
      interactive: false,
      living: true,
      onFailure: (error) => {
        failure = error;
      },
    });
    // One that could not be written is closed, and is told as a failure of the command line.
    if (file && !file.destroyed) await new Promise<void>((done) => file.end(() => done()));
    await notes.end();
    // Messages of the code of a selector are in no answer.
    return { id, status, out: out.text(), err: err.text(), ...(failure && { error: errorOf(failure) }) };
  } catch (thrown) {
    const error = toXylemError(thrown);
    return { id, status: 2, out: '', err: `xylem: ${error.message}\n`, error: errorOf(error) };
  }
}

const errorOf = ({ message, code, fix, where }: XylemError) => ({ message, code, fix, where });

/** The command line of a line. Throws ARGUMENT. */
function askedIn(line: string): { id: unknown; args: string[]; out: string | undefined } {
  const wrong = (why: string): never => {
    throw argumentError(
      `A line of standard input is no command line: ${why}.`,
      'Write {"id": 1, "args": ["draw", "a.root", "Events", "Muon_pt"]}.',
    );
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    wrong('it is not JSON');
  }
  const { id, args, out } = recordOf(parsed) ?? {};
  if (!Array.isArray(args) || !args.every((word) => typeof word === 'string')) {
    return wrong('"args" is not a list of texts');
  }
  if (out !== undefined && (typeof out !== 'string' || out === '')) wrong('"out" is not the path of a file');
  if (REFUSED.includes(args[0] ?? '')) wrong(`"${args[0]}" needs a process of its own`);
  return { id: id ?? null, args, out: out as string | undefined };
}

/** Keeps what is written to it, up to a limit. */
class Kept extends Writable {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  override _write(piece: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += piece.length;
    if (this.#bytes > MAX_OUTPUT) {
      done(new Error(`it has more than ${formatBytes(MAX_OUTPUT)}: name a file for it`));
      return;
    }
    this.#pieces.push(piece);
    done();
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }
}
