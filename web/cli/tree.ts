import { XylemError } from '../base/errors';
import { commonHelp, commonOptions, parseCommand } from './arguments';
import { type Command, withFile } from './context';
import { showTree } from './ls';

const help = `Usage: xylem tree FILE [TREE] [--json]

The branches of a tree, as "xylem ls FILE TREE" shows them; without TREE, of the only one in the file.

${commonHelp}

JSON: as of "xylem ls FILE TREE".`;

export const tree: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseCommand(args, commonOptions, [1, 2]);
    const [file = '', path] = positionals;
    return await withFile(file, values, context, async ({ reader, info }) => {
      const wanted = path ?? (await onlyTree(await reader.keys(info.id)));
      return await showTree(await reader.tree(info.id, wanted), values.json === true, context);
    });
  },
};

async function onlyTree(keys: readonly { path: string; kind: string }[]): Promise<string> {
  const paths = keys.filter(({ kind }) => kind === 'tree' || kind === 'ntuple').map(({ path }) => path);
  const [only, ...others] = [...new Set(paths)];
  if (only !== undefined && others.length === 0) return only;
  throw new XylemError({
    code: 'NOT_FOUND',
    message:
      only === undefined
        ? 'There is no tree in the file.'
        : `There are ${others.length + 1} trees in the file.`,
    fix:
      only === undefined
        ? '"xylem ls" shows what there is.'
        : `Name one of them: ${[only, ...others].slice(0, 5).join(', ')}.`,
  });
}
