import { treeOf } from '../verbs/trees';
import { UsageError } from './arguments';
import { command } from './command';
import type { CommandTable } from './commands/list';
import { bashCompletion, type Described, fishCompletion, zshCompletion } from './completion-scripts';
import { type Context, withFile } from './context';
import { helpOption } from './options';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Names that a shell completes as they are. Others would have to be quoted, in each shell in another way. */
const PLAIN = /^[\w./-]+$/;
/** Maximum number of names that a shell is given. */
const MAX_NAMES = 20_000;

/** Prints the trees and objects of a file, or the branches of a tree. */
async function putNames(file: string, tree: string | undefined, context: Context): Promise<number> {
  const names = await withFile(file, { silent: true }, context, async (open) => {
    if (tree === undefined) return (await open.keys()).map(({ path }) => path);
    const { info } = await open.tree(await treeOf(open, tree === '?' ? undefined : tree));
    return info.branches.map(({ path }) => path);
  });
  const plain = [...new Set(names)].filter((name) => PLAIN.test(name));
  for (const name of plain.slice(0, MAX_NAMES)) context.out.line(name);
  return 0;
}

/** The command that prints completions for all of `commands`, itself among them. */
export const completionOf = (commands: CommandTable) =>
  command({
    usage: ['bash', 'zsh', 'fish', 'names FILE [TREE]'],
    about: `Prints what a shell needs to complete commands, options and files when Tab is pressed.

  bash   source <(xylem completion bash)        in ~/.bashrc
  zsh    source <(xylem completion zsh)         in ~/.zshrc, behind compinit
  fish   xylem completion fish | source         in ~/.config/fish/config.fish

"names" is what these ask for: the trees and objects of a file, or the branches of a tree ("?" is the only one).`,
    examples: [
      ['bash', 'for ~/.bashrc: source <(xylem completion bash)'],
      ['zsh', 'for ~/.zshrc, after compinit: source <(xylem completion zsh)'],
    ],
    options: helpOption,
    async run(_given, [shell = '', file, tree], context) {
      if (shell === 'names' && file !== undefined) return await putNames(file, tree, context);
      if (file !== undefined) throw new UsageError(`"${file}" is one argument too many.`);
      const script = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
      if (script === undefined) {
        throw new UsageError(`There are no completions for "${shell}", only for bash, zsh and fish.`);
      }
      const described = Object.entries(commands).map(
        async ([name, { summary, load }]): Promise<Described> => {
          const { options, usage } = await load();
          // Literals in the forms of the command, as in "clear [URL]".
          const words = usage
            .flatMap((form) => form.split(/[\s[\]…]+/))
            .filter((word) => /^[a-z]+$/.test(word));
          const inside = usage.some((form) => /\bFILE \[?(TREE|PATH|PATTERN|EXPR)/.test(form));
          return { name, summary, options, words, inside };
        },
      );
      const names = Object.keys(commands);
      const help = { name: 'help', summary: 'what a command does', options: {}, words: names, inside: false };
      context.out.put(script([...(await Promise.all(described)), help]));
      return 0;
    },
  });
