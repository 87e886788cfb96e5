// npm start [-- FILE_OR_URL]: sets up, builds the page, serves it, and prints where.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runMain, StepError } from './run.mjs';
import { setUp } from './setup.mjs';

const usualPort = 8765;

await runMain(async () => {
  const [wanted, ...rest] = process.argv.slice(2);
  if (rest.length > 0) throw new StepError('npm start takes one file or address: npm start -- FILE_OR_URL');
  const isUrl = wanted !== undefined && /^https?:\/\//i.test(wanted);
  // npm runs this in the checkout; a relative path is meant from where the person is.
  const file = wanted === undefined || isUrl ? undefined : resolve(process.env.INIT_CWD ?? '.', wanted);
  if (file !== undefined && !(await stat(file).catch(() => undefined))?.isFile()) {
    throw new StepError(`There is no file ${file}`);
  }

  await setUp({ forTests: false });
  process.stderr.write('Building …\n');
  const { build } = await import('./build.mjs');
  await build(['page', 'modules']);

  const { serve } = await import('./serve.mjs');
  const { url, link } = await serve({ port: usualPort, file }).catch(() => serve({ port: 0, file }));
  const address = isUrl ? `${url}?url=${encodeURIComponent(wanted)}` : link;
  process.stdout.write(`xylem is at ${address}\nStop it with Ctrl+C.\n`);
});
