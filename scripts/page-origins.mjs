// Says in a built page which origins may embed it and exchange messages with it: docs/embedding.md, "As an iframe".
//   node scripts/page-origins.mjs dist/page "https://portal.example https://other.example"

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMain, StepError } from './run.mjs';

const list = /(<meta name="xylem-embed-origins" content=")[^"]*"/;

await runMain(async () => {
  const [folder, text = ''] = process.argv.slice(2);
  if (folder === undefined) throw new StepError('Name the folder of the page.');
  const origins = text.split(/[\s,]+/).filter((one) => one !== '');
  const wrong = origins.find((one) => one !== '*' && (!URL.canParse(one) || new URL(one).origin !== one));
  if (wrong !== undefined) throw new StepError(`"${wrong}" is no origin; write https://portal.example.`);
  for (const name of ['index.html', 'preview.html']) {
    const path = join(folder, name);
    const page = await readFile(path, 'utf8');
    if (!list.test(page)) throw new StepError(`${path} has no list of origins.`);
    await writeFile(
      path,
      page.replace(list, (_, before) => `${before}${origins.join(' ')}"`),
    );
  }
});
