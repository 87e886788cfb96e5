// The lint of names: one style for private members, one for the names of limits, one for constants.
// scripts/lint.mjs calls it; `node scripts/names.mjs` runs it alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain, StepError } from './run.mjs';

const FOLDERS = ['hosts', 'web', 'workers', 'wasm/src', 'wasm/test', 'scripts', 'bench', 'tests', 'e2e'];

/** @type {[pattern: RegExp, advice: string, where?: RegExp][]} */
const RULES = [
  [/^\s+private (?!constructor\b)/, 'a private member begins with #'],
  [
    /\bconst (MOST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|HIGHEST|LOWEST|FEWEST)_/,
    'a limit begins with MAX_ or MIN_',
  ],
  [
    /^(export )?const [a-z]\w*(: [^=]+)? = (-?\d[\d_.]*( \*\*? \d[\d_]*)*;|'[^']*';|\/.+\/[a-z]*;)$/,
    'a number, a text or a pattern of a whole file has a name in capitals',
    /^(web|workers)/,
  ],
  [/^\s*(enum \{ |#define )?(MOST|LEAST|LONGEST|LARGEST|SMALLEST)_\w+ /, 'a limit begins with MAX_ or MIN_'],
];

/** @returns {{ status: number, output: string }} the lines with names that break a rule */
export function lintNames() {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => /\.(ts|tsx|mjs|c|h)$/.test(name) && !/(^vendor|(^|\/)(node_modules|out)\/)/.test(name),
      )
      .flatMap((name) => {
        const path = join(folder, name);
        const lines = readFileSync(join(root, path), 'utf8').split('\n');
        return lines.flatMap((line, i) =>
          RULES.filter(([pattern, , where]) => pattern.test(line) && (where?.test(path) ?? true)).map(
            ([, advice]) => `${path}:${i + 1}: ${advice}`,
          ),
        );
      }),
  );
  return { status: found.length > 0 ? 1 : 0, output: found.map((line) => `${line}\n`).join('') };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const { status, output } = lintNames();
    if (status !== 0) throw new StepError(output);
  });
}
