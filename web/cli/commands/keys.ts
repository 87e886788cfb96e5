import { commonHelp, commonOptions, parseCommand } from './arguments';
import { type Command, withFile } from './context';

const help = `Usage: xylem keys FILE [--json]

Lists all keys of all directories, of all cycles, in the order of the file:
path;cycle, class and title, separated by tabs.

${commonHelp}

JSON: {"keys": [{"path", "cycle", "class", "title"}, …]}`;

export const keys: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseCommand(args, commonOptions, [1, 1]);
    const [file = ''] = positionals;
    return await withFile(file, values, context, async ({ reader, info }) => {
      const { out } = context;
      const found = await reader.keys(info.id);
      if (!values.json) {
        for (const key of found) {
          out.line(`${key.path};${key.cycle}\t${key.className}\t${key.title}`);
          await out.drain();
        }
        return 0;
      }
      out.put('{"keys": [');
      for (const [i, key] of found.entries()) {
        const { path, cycle, className, title } = key;
        out.put(`${i > 0 ? ',' : ''}\n${JSON.stringify({ path, cycle, class: className, title })}`);
        await out.drain();
      }
      out.line(']}');
      return 0;
    });
  },
};
