import { version } from '../../../package.json';
import type { SourceSpec, TreeInfo } from '../../api/api';
import { argumentError, toXylemError, XylemError } from '../../base/errors';
import { own } from '../../base/search';
import { didYouMean, nearest } from '../../base/suggest';
import { shortened } from '../../base/text';
import { publicText } from '../../io/public-text';
import { markedText } from '../../query/language/errors';
import { COMMAND_GROUPS, type CommandGroup } from '../../verbs/verb';
import { beforeEnd, UsageError } from '../arguments';
import type { Command } from '../command';
import { commandElsewhere, commands } from '../commands/list';
import type { Context, Surroundings } from '../context';
import { OwnFiles } from '../own-files';
import { isUrl } from '../targets';
import { BrokenPipe } from '../terminal/output';

const groupLines = (group: CommandGroup): string =>
  Object.entries(commands)
    .filter(([, command]) => command.group === group)
    .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
    .join('\n');

const help = `Usage: xylem COMMAND FILE …
       xylem FILE              as "xylem ls FILE"

Reads CERN ROOT files. FILE is a path or an http(s) URL.

${Object.entries(COMMAND_GROUPS)
  .map(([group, title]) => `${title}\n${groupLines(group as CommandGroup)}`)
  .join('\n\n')}

"xylem COMMAND --help" tells more of each and has examples, "xylem --version" prints the version. Words after "--" are
not options.

Data goes to stdout, everything else to stderr.
Exit status: 0 done, 1 failed, 2 the command line was not understood.`;

/**
 * Runs one command line (without node and the script) and returns its exit status. Never throws: failures are
 * reported on stderr, and as {"error": …} on stdout when JSON was requested and nothing was printed yet.
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const files = new OwnFiles();
  const context: Context = {
    ...surroundings,
    bare: surroundings,
    files,
    async open(source) {
      await files.addSource(source);
      const file = await surroundings.open(source);
      return {
        ...file,
        async tree(path, options) {
          const tree = await file.tree(path, options);
          await noteFriends(tree.info.friends ?? [], source, files);
          return tree;
        },
      };
    },
  };
  try {
    const status = await dispatch(args, context);
    await context.out.end();
    return status;
  } catch (thrown) {
    // The reader of the output has read enough: not a failure.
    if (thrown instanceof BrokenPipe) return 0;
    return await tellFailure(thrown, args, context);
  }
}

/** Files that a tree names as those of its friends are inputs, too, from where it lies. */
async function noteFriends(
  friends: NonNullable<TreeInfo['friends']>,
  source: SourceSpec,
  files: OwnFiles,
): Promise<void> {
  const named = friends.flatMap(({ file }) => (file === '' ? [] : [file]));
  if (named.length === 0) return;
  const { friendPath } = await import('../../query/friends/friend-files');
  const parts = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
  for (const beside of parts) {
    for (const name of named) {
      const path = friendPath(name, beside);
      if (path !== undefined) await files.addInput(path);
    }
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    context.err.put(`${help}\n`);
    return 2;
  }
  if (name === '--version' || name === '-V') {
    context.out.line(`xylem ${version}`);
    return 0;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    const [about] = rest;
    context.out.put(`${about === undefined ? help : (await commandOf(about)).help(about)}\n`);
    return 0;
  }
  // A file alone is listed.
  if (!Object.hasOwn(commands, name) && (await isFile(name))) return await dispatch(['ls', ...args], context);
  const command = await commandOf(name);
  if (beforeEnd(rest).some((word) => word === '--help' || word === '-h')) {
    context.out.put(`${command.help(name)}\n`);
    return 0;
  }
  return await command.run(rest, context);
}

/** Returns the command of a name. Throws UsageError if there is none. */
async function commandOf(name: string): Promise<Command> {
  const found = own(commands, name);
  if (found !== undefined) return await found.load();
  const elsewhere = commandElsewhere(name.toLowerCase());
  const meant = didYouMean(elsewhere === undefined ? nearest(name, Object.keys(commands)) : [elsewhere], '');
  throw new UsageError(
    `There is no command "${shortened(name, 100)}".${meant === undefined ? '' : ` ${meant}`}`,
  );
}

/** Whether a word in the place of a command names a file: an address, a list, or something that is there. */
async function isFile(word: string): Promise<boolean> {
  if (isUrl(word) || /^@|\.root([?#].*)?$/s.test(word)) return true;
  const { stat } = await import('node:fs/promises');
  const found = await stat(word).catch(() => undefined);
  return found?.isFile() === true;
}

async function tellFailure(thrown: unknown, args: readonly string[], context: Context): Promise<number> {
  const { err, out, onFailure } = context;
  if (thrown instanceof UsageError) {
    onFailure?.(argumentError(publicText(thrown.message)));
    err.line(`xylem: ${publicText(thrown.message)}`);
    err.line(`Try "xylem ${Object.hasOwn(commands, args[0] ?? '') ? `${args[0]} ` : ''}--help".`);
    await err.end().catch(() => {});
    return 2;
  }
  const failure = withoutAddresses(toXylemError(thrown));
  onFailure?.(failure);
  for (const line of failureLines(failure)) err.line(line);
  if (wantsJson(args) && !out.used) {
    out.setForm('json');
    out.line(failureJson(failure));
  }
  // A failure of the output was reported already; one of stderr cannot be reported.
  await Promise.allSettled([out.end(), err.end()]);
  // A wrong expression is a wrong command line, if it is one of its words and not that of a file or of a selector.
  const { expression } = failure.where ?? {};
  const isOfLine = expression !== undefined && args.some((word) => word.includes(expression));
  return failure.code === 'ARGUMENT' && isOfLine ? 2 : 1;
}

/** Removes signatures of addresses from messages, because messages repeat arguments and logs keep them. */
function withoutAddresses(failure: XylemError): XylemError {
  const { message, fix, where } = failure;
  const path = where?.path && publicText(where.path);
  // Its places would be others without its addresses.
  const { offset, length, expression, ...rest } = where ?? {};
  const isPlain = expression === undefined || publicText(expression) === expression;
  return new XylemError({
    ...failure.toRecord(),
    message: publicText(message),
    fix: fix && publicText(fix),
    where: where && { ...(isPlain ? where : rest), ...(path && { path }) },
  });
}

function wantsJson(args: readonly string[]): boolean {
  return beforeEnd(args).includes('--json');
}

/** Longer messages contain a long name or expression, which is cut here; JSON has all of it. */
const MAX_LENGTH = 1000;

/** The message for people; for programs the code, the fix, and the place. */
function failureJson({ message, code, fix, where }: XylemError): string {
  return JSON.stringify({ error: message, code, fix, where });
}

/**
 * The failure, its place, the fix, and the code for programs; the text of an expression is shown with the
 * place marked.
 */
function failureLines(failure: XylemError): string[] {
  const { offset, length, breadcrumbs, expression } = failure.where ?? {};
  const place = [
    ...(breadcrumbs ?? []),
    ...(offset === undefined || expression !== undefined || failure.message.includes(String(offset))
      ? []
      : [`byte ${offset}`]),
  ];
  const where = place.length > 0 ? ` (${place.join(', ')})` : '';
  const text = `xylem: ${shortened(failure.message, MAX_LENGTH)}${where}${failure.fix === undefined ? '' : ` ${failure.fix}`} [${failure.code}]`;
  if (expression === undefined || offset === undefined) return [text];
  return [text, ...markedText(expression, offset, length ?? 1).map((line) => `  ${line}`)];
}
