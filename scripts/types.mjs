// npm run typecheck: all sources with all that they may use, then the core without the DOM and Node, then the
// page without Node.
import { capture, runMain, StepError } from './run.mjs';

const PROJECTS = ['.', 'tsconfig.core.json', 'tsconfig.ui.json'];

/** @returns {Promise<{ status: number, output: string }>} */
export async function checkTypes() {
  const results = [];
  for (const project of PROJECTS) results.push(await capture('tsc', ['-p', project]));
  const status = results.find((result) => result.status !== 0)?.status ?? 0;
  return { status, output: results.map(({ output }) => output).join('') };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const { status, output } = await checkTypes();
    if (status !== 0) throw new StepError(output);
  });
}
