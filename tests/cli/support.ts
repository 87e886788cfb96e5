import { Writable } from 'node:stream';
import type { EngineApi } from '../../web/api/engine-api';
import type { EngineReader } from '../../web/api/reader';
import { slotOf } from '../../web/base/slot';
import type { Surroundings } from '../../web/cli/context';
import { runCommandLine } from '../../web/cli/process/run';
import { TextOutput } from '../../web/cli/terminal/output';
import { nodeModules } from '../../web/core/modules/node-modules';
import * as features from '../../web/features/work';
import type { WorkPart } from '../../web/features/work-part';
import { createWriter } from '../../web/library/writer';
import { openRoot } from '../../web/node';

export interface Run {
  status: number;
  out: string;
  err: string;
}

/** Runs a command line against a reader and gathers what it prints. */
export async function run(reader: EngineApi, ...args: string[]): Promise<Run> {
  return await runAt(reader, false, args);
}

/** The same as in a terminal: with progress on stderr. */
export async function runInTerminal(reader: EngineApi, ...args: string[]): Promise<Run> {
  return await runAt(reader, true, args);
}

async function runAt(reader: EngineApi, interactive: boolean, args: string[]): Promise<Run> {
  const out = gather();
  const err = gather();
  const own = writing(reader);
  const context: Surroundings = {
    out: new TextOutput(out.stream),
    err: new TextOutput(err.stream),
    interactive,
    reader: async () => own,
    open: async (source) => ({ ...(await openRoot(source, { reader: own })), reader: own }),
  };
  const status = await runCommandLine(args, context);
  await context.err.end();
  return { status, out: out.text(), err: err.text() };
}

/** An engine writes, too, as the reader of a process does. */
function writing(reader: EngineApi): EngineReader {
  if ('writer' in reader) return reader as EngineReader;
  return {
    ...(reader as EngineReader),
    writer: createWriter(
      reader,
      async () => (await slotOf<WorkPart, 'writer'>(features, 'writer', 'writer')())(reader),
      () => nodeModules('write'),
    ),
  };
}

function gather(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
