import { parseBytes, UsageError } from '../../../cli/arguments';
import { command } from '../../../cli/command';
import { helpOption, valued } from '../../../cli/options';
import { allowedFolder } from './allowed-folder';

export const mcp = command({
  usage: [''],
  about: `Serves the tools of xylem to an assistant, by the Model Context Protocol on standard input and output: contents,
types, values, drawings with cuts, objects, summaries, checks, the doctor, and what a reading would cost. A client of the
protocol starts it and names the files: paths, http(s) and root:// addresses. It reads what you may read, and no text files.`,
  examples: [
    ['', 'a server for an assistant, on stdin and stdout'],
    ['--allow-write .', 'one that may write files into this folder'],
  ],
  options: {
    'allow-write': valued('FOLDER', 'also give the tools that write, which make new files in FOLDER alone'),
    'max-read': valued(
      'SIZE',
      'refuse a call that would read more of a file, besides its metadata; default 200MB',
    ),
    'max-answer': valued('SIZE', 'refuse an answer that is longer; default 100kB'),
    ...helpOption,
  },
  notes: `The protocol's own package is needed, which is not installed with xylem: npm install @modelcontextprotocol/server`,
  async run(given, words, context) {
    if (words.length > 0) throw new UsageError(`"${words[0]}" is one argument too many.`);
    const folder = given['allow-write'];
    const limits = {
      read: parseBytes(given['max-read'] ?? '200MB'),
      answer: parseBytes(given['max-answer'] ?? '100kB'),
      writeTo: folder === undefined ? undefined : await allowedFolder(folder),
    };
    const { serve } = await import('./serve');
    await serve(context, limits);
    return 0;
  },
});
