// npm run lint: Biome over everything, clang-format over the C, plain English (scripts/words.mjs),
// names (scripts/names.mjs).
// `--write` repairs what Biome and clang-format can repair (npm run format).
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lintNames } from './names.mjs';
import { capture, root, runMain, StepError } from './run.mjs';
import { lintWords } from './words.mjs';

/** The C is formatted as this version does it; others differ in details. */
const formatVersion = 14;

async function sourcesInC() {
  const folders = ['include', 'src', 'test', 'fuzz'];
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, 'wasm', folder), { recursive: true }).catch(() => []);
      return names.filter((name) => /\.[ch]$/.test(name)).map((name) => join('wasm', folder, name));
    }),
  );
  return lists.flat();
}

async function clangFormat() {
  for (const command of [`clang-format-${formatVersion}`, 'clang-format']) {
    const { status, output } = await capture(command, ['--version']);
    if (status === 0 && output.includes(`version ${formatVersion}.`)) return command;
  }
  return undefined;
}

/**
 * @param {{ write?: boolean }} [options] `write`: repair what can be repaired
 * @returns {Promise<{ status: number, output: string }>}
 */
export async function lint({ write = false } = {}) {
  const biome = await capture('biome', ['check', ...(write ? ['--write'] : []), '--error-on-warnings', '.']);
  const own = [lintWords(), lintNames()];
  const ownStatus = Math.max(...own.map(({ status }) => status));
  const ownOutput = own.map(({ output }) => output).join('');
  const formatter = await clangFormat();
  if (formatter === undefined) {
    process.stderr.write(`clang-format ${formatVersion} is not here: the format of the C was not checked\n`);
    return { status: biome.status || ownStatus, output: biome.output + ownOutput };
  }
  const style = write ? ['-i'] : ['--dry-run', '--Werror'];
  const c = await capture(formatter, [...style, ...(await sourcesInC())]);
  return {
    status: biome.status || c.status || ownStatus,
    output: biome.output + c.output + ownOutput,
  };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const { status, output } = await lint({ write: process.argv.includes('--write') });
    if (status !== 0) throw new StepError(output);
  });
}
