import { cyclePath } from '../../model/keys';
import { command } from '../command';
import { withFile } from '../context';
import { commonOptions, FILE_TEXT } from '../options';

export const keys = command({
  usage: ['FILE'],
  about: `Lists all keys of all directories, of all cycles, in the order of the file: path;cycle, class and title,
separated by tabs. ${FILE_TEXT}`,
  examples: [
    ['sample.root', 'all keys'],
    ['sample.root --json', 'the same for a program'],
  ],
  options: commonOptions,
  json: `{"keys": [{"path", "cycle", "className", "title", "class"}, …]}
class is the same as className, for older programs.`,
  async run(given, [file = ''], context) {
    return await withFile(file, given, context, async (open) => {
      const { out } = context;
      const found = await open.keys();
      if (!given.json) {
        for (const key of found) {
          out.cells([cyclePath(key), key.className, key.title]);
          await out.drain();
        }
        return 0;
      }
      out.put('{"keys": [');
      for (const [i, key] of found.entries()) {
        const { path, cycle, className, title } = key;
        out.put(
          `${i > 0 ? ',' : ''}\n${JSON.stringify({ path, cycle, className, title, class: className })}`,
        );
        await out.drain();
      }
      out.line(']}');
      return 0;
    });
  },
});
