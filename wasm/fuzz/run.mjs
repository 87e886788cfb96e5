// npm run fuzz -- [--32] [seconds per target] [target ...]
//
// Builds the fuzz targets and runs each for this long (default 10 s), from the seeds of the fixtures
// and what earlier runs kept in build/fuzz/corpus. An input that crashes, hangs for 5 s or wants too
// much memory is kept in build/fuzz/findings; it is run again with build/fuzz/<target> <input>.
// With --32 the core is compiled for 32 bits, in build/fuzz32: size_t is then as wide as in wasm.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const narrow = process.argv[2] === '--32';
const folder = join(root, narrow ? 'build/fuzz32' : 'build/fuzz');
const TARGETS = [
  ...['header', 'keys', 'streamers', 'object', 'writer', 'tape', 'tree', 'basket', 'ntuple'],
  ...['codec_zlib', 'codec_deflate', 'codec_zstd', 'codec_lz4', 'codec_xz'],
];
/** No single allocation above 400 MB, and no more than 1200 MB in all: the memory of ASan included. */
const LIMITS = ['-malloc_limit_mb=400', '-rss_limit_mb=1200', '-timeout=5', '-max_len=131072'];

const [seconds = '10', ...chosen] = process.argv.slice(narrow ? 3 : 2);
const targets = chosen.length > 0 ? chosen : TARGETS;
const unknown = targets.filter((target) => !TARGETS.includes(target));
if (!/^\d+$/.test(seconds) || Number(seconds) < 1 || unknown.length > 0) {
  process.stderr.write(`usage: npm run fuzz -- [--32] [seconds per target] [${TARGETS.join('|')} ...]\n`);
  process.exit(2);
}

const build = narrow ? 'fuzz-build-32' : 'fuzz-build';
const made = spawnSync('make', ['-s', '-j2', '-C', join(root, 'wasm'), build], { stdio: 'inherit' });
if (made.status !== 0) {
  const needs = 'Debian has what 32 bits need in gcc-multilib and g++-multilib.\n';
  if (narrow) process.stderr.write(needs);
  process.exit(1);
}
mkdirSync(join(folder, 'findings'), { recursive: true });

let findings = 0;
for (const target of targets) {
  const corpus = join(folder, 'corpus', target);
  mkdirSync(corpus, { recursive: true });
  const before = new Set(readdirSync(join(folder, 'findings')));
  const { status, stderr } = spawnSync(
    join(folder, target),
    [
      ...LIMITS,
      `-max_total_time=${seconds}`,
      '-print_final_stats=1',
      `-artifact_prefix=${join(folder, 'findings')}/${target}-`,
      corpus,
      join(folder, 'seeds', target),
    ],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, XYLEM_FUZZ_PLANS: join(folder, 'seeds/plans') },
    },
  );
  const number = (name) => Number(new RegExp(`stat::${name}:\\s*(\\d+)`).exec(stderr)?.[1] ?? 0);
  const runs = number('number_of_executed_units');
  const coverage = [...stderr.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '0';
  const rate = Math.round(runs / Number(seconds));
  process.stdout.write(
    `${target.padEnd(14)} ${String(runs).padStart(9)} runs ${String(rate).padStart(7)}/s, ` +
      `${coverage} edges, peak ${number('peak_rss_mb')} MB\n`,
  );
  const kept = readdirSync(join(folder, 'findings')).filter((name) => !before.has(name));
  if (status !== 0 || kept.length > 0) {
    findings += 1;
    const why = /^(==\d+==ERROR.*|.*runtime error.*|SUMMARY.*|==\d+== ERROR.*)$/m.exec(stderr)?.[0];
    process.stdout.write(`  FOUND ${kept.join(', ')}: ${why ?? stderr.slice(-2000)}\n`);
  }
}
process.stdout.write(`${targets.length} targets, ${findings} with findings\n`);
if (findings > 0) process.exitCode = 1;
