import type { NodeReader } from '../node';
import type { Context } from './context';
import { TextOutput } from './output';
import { ignoreBrokenPipe, runCommandLine } from './run';

/** The command line of this process. */
async function main(): Promise<void> {
  const err = new TextOutput(process.stderr);
  // One for all files of a command: it holds the compiled core, and the workers once they are needed.
  let reader: Promise<NodeReader> | undefined;
  const context: Context = {
    out: new TextOutput(process.stdout),
    err,
    interactive: process.stderr.isTTY === true,
    reader: () => {
      reader ??= import('../node').then(({ openReader }) => openReader({ cache: true }));
      return reader;
    },
  };
  const status = await runCommandLine(process.argv.slice(2), context);
  await err.end().catch(ignoreBrokenPipe);
  // Workers that still wind down have nothing more to say.
  process.exit(status);
}

await main();
