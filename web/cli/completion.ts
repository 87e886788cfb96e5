import { UsageError } from './arguments';
import { command } from './command';
import type { CommandTable } from './commands/list';
import { bashCompletion, type Described, fishCompletion, zshCompletion } from './completion-scripts';
import { helpOption } from './options';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The command that prints completions for all of `commands`, itself among them. */
export const completionOf = (commands: CommandTable) =>
  command({
    usage: ['bash', 'zsh', 'fish'],
    about: `Prints what a shell needs to complete commands, options and files when Tab is pressed.

  bash   source <(xylem completion bash)        in ~/.bashrc
  zsh    source <(xylem completion zsh)         in ~/.zshrc, behind compinit
  fish   xylem completion fish | source         in ~/.config/fish/config.fish`,
    options: helpOption,
    async run(_given, [shell = ''], context) {
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
          return { name, summary, options, words };
        },
      );
      const names = Object.keys(commands);
      const help = { name: 'help', summary: 'what a command does', options: {}, words: names };
      context.out.put(script([...(await Promise.all(described)), help]));
      return 0;
    },
  });
