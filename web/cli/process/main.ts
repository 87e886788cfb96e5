import { writeSync } from 'node:fs';
import { engineOf } from '../../api/engine-api';
import type { EngineReader } from '../../api/reader';
import { blockThisThread, blockWhileQuick } from '../../io/node-handle';
import { watchBy } from '../../sinks/node-unfinished';
import { parseWhole } from '../arguments';
import type { Surroundings } from '../context';
import { TextOutput } from '../terminal/output';
import { descriptorOutput } from './descriptor-output';
import { plainOutput } from './plain-output';
import { runCommandLine } from './run';
import { byMainThread } from './thread';

/**
 * Returns the number of decode workers that XYLEM_WORKERS names; undefined if it is not set. A farm that starts a
 * process on each core sets it. Throws UsageError.
 */
function workersAsked(): number | undefined {
  const text = process.env.XYLEM_WORKERS ?? '';
  return text === '' ? undefined : parseWhole(text, 'XYLEM_WORKERS', 0, 64);
}

/** Commands that answer several questions at once, of which none waits for the disk of another. */
const SERVERS = ['mcp', 'serve', 'worker'];

/** Runs the command line of this process, and ends it. */
export async function main(inThread: boolean): Promise<void> {
  let isEnded = false;
  process.on('exit', (code) => {
    if (!isEnded && code === 0) tellUnsettled();
  });
  if (inThread) {
    watchBy(byMainThread());
    blockThisThread();
  } else if (!SERVERS.includes(process.argv[2] ?? '')) blockWhileQuick();
  const [stdout, stderr] = inThread
    ? [descriptorOutput(STDOUT), descriptorOutput(STDERR)]
    : [plainOutput(STDOUT) ?? process.stdout, plainOutput(STDERR) ?? process.stderr];
  const err = new TextOutput(stderr);
  // One reader for all files of a command: it holds the compiled core, and the workers once they are needed.
  let reader: Promise<EngineReader> | undefined;
  const context: Surroundings = {
    out: new TextOutput(stdout),
    err,
    interactive: stderr.isTTY === true,
    reader: () => {
      reader ??= import('../../node').then(async ({ openReader }) =>
        engineOf(await openReader({ cache: true, workers: workersAsked() })),
      );
      return reader;
    },
    open: async (source) => {
      const [{ openRoot }, reader] = await Promise.all([import('../../node'), context.reader()]);
      return { ...(await openRoot(source, { reader })), reader };
    },
  };
  const status = await runCommandLine(process.argv.slice(2), context);
  await err.end().catch(() => {});
  isEnded = true;
  // Workers that are still ending have no more output.
  process.exit(status);
}

const [STDOUT, STDERR] = [1, 2];

/** Node ends a program that waits for nothing that is under way, without a word. */
function tellUnsettled(): void {
  writeSync(STDERR, 'xylem: A promise that is waited for, as by a module of yours, is never settled.\n');
  process.exitCode = 1;
}
