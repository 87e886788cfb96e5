// Compares what `xylem whatif --codec` says of files with what `xylem heal --codec` really writes, baskets as they are.
//   node tests/features/whatif/judge/codecs.mjs FOLDER CODEC,… FILE…
// FOLDER is for the written files, which are removed again. Needs dist/. Prints one row for each file and codec.

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const cli = join(import.meta.dirname, '../../../../dist/cli/xylem.js');
const [folder = '.', list = 'zstd:5', ...files] = process.argv.slice(2);

/** @param {string[]} args */
const xylem = (...args) =>
  execFileSync(process.execPath, [cli, ...args], { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'pipe'] });

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

for (const file of files) {
  const { codecs, tried, triedBytes } = JSON.parse(String(xylem('whatif', file, '--codec', list, '--json')));
  say(`${basename(file)}: ${tried} baskets tried, ${triedBytes} bytes`);
  for (const [i, codec] of list.split(',').entries()) {
    const out = join(folder, `codec-${codec.replace(':', '')}.root`);
    const start = performance.now();
    xylem('heal', file, out, '--codec', codec, '--no-verify', '--force');
    const seconds = (performance.now() - start) / 1000;
    const { storedBytes } = JSON.parse(String(xylem('layout', out, '--json')));
    rmSync(out);
    const { bytes, errorBytes, compressMs } = codecs[i];
    const off = bytes / storedBytes - 1;
    const errors = errorBytes > 0 ? Math.abs(bytes - storedBytes) / errorBytes : 0;
    say(
      [
        codec.padEnd(8),
        `promised ${(bytes / 1e6).toFixed(2)} ± ${(errorBytes / 1e6).toFixed(2)} MB`,
        `written ${(storedBytes / 1e6).toFixed(2)} MB`,
        `${off < 0 ? '' : '+'}${(100 * off).toFixed(2)} %, ${errors.toFixed(1)} of the error`,
        `compressing ${(compressMs / 1000).toFixed(1)} s, heal ${seconds.toFixed(1)} s`,
      ].join('; '),
    );
  }
}
