import { toXylemError, type XylemError } from '../base/errors';
import { markedText } from '../query/errors';
import { UsageError } from './arguments';
import type { Command, Context } from './context';
import { BrokenPipe } from './output';
import { printable } from './table';

/** Each command: what it is for, and how its code is loaded when it is called. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  ls: { summary: 'what is in a file, a directory or a tree', load: async () => (await import('./ls')).ls },
  keys: {
    summary: 'all keys of all directories and cycles',
    load: async () => (await import('./keys')).keys,
  },
  tree: {
    summary: 'the branches of a tree, their types and sizes',
    load: async () => (await import('./tree')).tree,
  },
  values: {
    summary: 'values of branches, entry by entry, or their digests',
    load: async () => (await import('./values')).values,
  },
  object: {
    summary: 'a stored object with its members',
    load: async () => (await import('./object')).object,
  },
  types: {
    summary: 'the classes that a file describes, as text, JSON, TypeScript or C++',
    load: async () => (await import('./types')).types,
  },
  check: {
    summary: 'whether files are sound: all records, baskets and checksums',
    load: async () => (await import('./check')).check,
  },
  diff: {
    summary: 'what differs between two files',
    load: async () => (await import('./diff')).diff,
  },
  serve: {
    summary: 'the page and a folder of files on this machine, to open them by a link',
    load: async () => (await import('./serve')).serve,
  },
  hist: {
    summary: 'the histogram of a branch, or a stored one, in the terminal, as JSON or as SVG',
    load: async () => (await import('./hist')).hist,
  },
  draw: {
    summary: 'histograms and profiles of expressions with cuts, as TTree::Draw fills them',
    load: async () => (await import('./draw')).draw,
  },
  scan: {
    summary: 'a table of expressions, entry by entry, as TTree::Scan',
    load: async () => (await import('./scan')).scan,
  },
  perf: {
    summary: 'reads branches and shows how: the pattern of the reads, and the numbers of TTreePerfStats',
    load: async () => (await import('./perf')).perf,
  },
  whatif: {
    summary: 'what reading branches would cost, with ROOT and its caches or with xylem',
    load: async () => (await import('./whatif')).whatif,
  },
  doctor: {
    summary: 'how well a file is laid out for reading, what that costs, and how to mend it',
    load: async () => (await import('./doctor')).doctor,
  },
  map: {
    summary: 'what lies where in a file: every byte of it, in the terminal, as JSON or as SVG',
    load: async () => (await import('./map')).map,
  },
  layout: {
    summary: 'how the branches of a tree lie: bytes, baskets, clusters, seeks',
    load: async () => (await import('./layout')).layout,
  },
  probe: {
    summary: 'what a server can do for reading from a page, and what mends what it cannot',
    load: async () => (await import('./probe')).probe,
  },
  summary: {
    summary: 'minimum, maximum, mean, zeroes, distinct values of the branches; which are constant or equal',
    load: async () => (await import('./summary')).summaryCommand,
  },
  cache: {
    summary: 'what is kept on this machine of files read from URLs: list, clear, keep a whole file, limit',
    load: async () => (await import('./cache')).cache,
  },
  export: {
    summary: 'entries of a tree as CSV, JSON Lines, Arrow, Parquet or numpy arrays',
    load: async () => (await import('./export')).exportCommand,
  },
};

/** All commands, for tests of what they have in common. */
export const commandNames: readonly string[] = Object.keys(commands);

const help = `Usage: xylem COMMAND FILE …

Reads CERN ROOT files. FILE is a path or an http(s) URL.

${Object.entries(commands)
  .map(([name, command]) => `  ${name.padEnd(8)} ${command.summary}`)
  .join('\n')}

"xylem COMMAND --help" tells more of each.

Data goes to stdout, everything else to stderr.
Exit status: 0 done, 1 failed, 2 the command line was not understood.`;

/**
 * Runs one command line (without node and the script) and gives its exit status. Nothing is thrown:
 * failures are told on stderr, and as {"error": …} on stdout where JSON was asked for and nothing
 * was printed yet.
 */
export async function runCommandLine(args: readonly string[], context: Context): Promise<number> {
  try {
    const status = await dispatch(args, context);
    await context.out.end();
    return status;
  } catch (thrown) {
    // The reader of our output has what it wanted: no failure.
    if (thrown instanceof BrokenPipe) return 0;
    return await tellFailure(thrown, args, context);
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    context.err.line(help);
    return 2;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    const about = rest[0] === undefined ? undefined : commands[rest[0]];
    context.out.line(about === undefined ? help : (await about.load()).help);
    return 0;
  }
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) {
    throw new UsageError(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.`);
  }
  const command = await found.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    context.out.line(command.help);
    return 0;
  }
  return await command.run(rest, context);
}

async function tellFailure(thrown: unknown, args: readonly string[], context: Context): Promise<number> {
  const { err, out } = context;
  if (thrown instanceof UsageError) {
    err.line(`xylem: ${thrown.message}`);
    err.line(`Try "xylem ${Object.hasOwn(commands, args[0] ?? '') ? `${args[0]} ` : ''}--help".`);
    await err.end().catch(ignoreBrokenPipe);
    return 2;
  }
  const failure = toXylemError(thrown);
  err.line(`xylem: ${failureText(failure)}`);
  if (args.includes('--json') && !out.used) out.line(JSON.stringify({ error: failure.message }));
  await Promise.all([out.end(), err.end()]).catch(ignoreBrokenPipe);
  return 1;
}

/** For the last words of a process whose reader may have gone. */
export function ignoreBrokenPipe(thrown: unknown): void {
  if (!(thrown instanceof BrokenPipe)) throw thrown;
}

/** What failed, where, what to do, and the code for programs; the text of an expression below, marked. */
function failureText(failure: XylemError): string {
  const { offset, length, breadcrumbs, expression } = failure.where ?? {};
  const place = [
    ...(breadcrumbs ?? []),
    ...(offset === undefined || expression !== undefined || failure.message.includes(String(offset))
      ? []
      : [`byte ${offset}`]),
  ];
  const where = place.length > 0 ? ` (${place.join(', ')})` : '';
  const text = `${failure.message}${where}${failure.fix === undefined ? '' : ` ${failure.fix}`} [${failure.code}]`;
  if (expression === undefined || offset === undefined) return text;
  const marked = markedText(expression, offset, length ?? 1).map((line) => `  ${printable(line)}`);
  return [text, ...marked].join('\n');
}
