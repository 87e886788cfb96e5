import { basename } from 'node:path';
import { together } from '../../../api/reading';
import type { HealLevel } from '../../../api/write';
import { oneOf, optional } from '../../../base/shape';
import { parseBytes, UsageError } from '../../../cli/arguments';
import { command } from '../../../cli/command';
import { withFile } from '../../../cli/context';
import { commonOptions, flag, type Options, valued } from '../../../cli/options';
import { readingsOfFile, savedReadings } from '../../../cli/saved-report';
import { isUrl } from '../../../cli/targets';
import { commandTool } from '../../../cli/tool';
import { HEAL_LEVELS } from '../work/verbs/heal';
import { codecOf, codecOption, WRITTEN_JSON, writeOptions } from './options';
import { saveRoot } from './save-root';
import { PLAN_JSON, tellPlan } from './tell-plan';

const options = {
  level: valued('LEVEL', 'see below; default: order', { choices: HEAL_LEVELS }),
  'cluster-bytes': valued(
    'BYTES',
    'for rebasket: compressed bytes in a cluster, such as 10MB; default: 30MB',
  ),
  by: valued(
    'SAVED',
    'put the branches first in each cluster that a recorded reading of IN used: what "xylem perf --save" wrote, or a file with a TTreePerfStats',
  ),
  ...codecOption,
  'in-place': flag(
    'replace IN, which stays as it is until the new file is whole and verified; needs room for both',
  ),
  'dry-run': flag('say what would change and what it brings, and write nothing'),
  ...writeOptions,
  verify: flag('read the new file back and compare it with what was copied; this is the default'),
  'no-verify': flag('trust the disk'),
  ...commonOptions,
} as const satisfies Options;

export const heal = command({
  usage: ['IN OUT', 'IN'],
  about: `Writes a ROOT file anew so that it is read faster, without ROOT. Values do not change: baskets are copied
compressed, whatever their classes are. OUT has its name when it is whole; a file of that name is kept unless --force is
given.`,
  examples: [
    ['sample.root healed.root', 'the same content, in a better order'],
    ['sample.root rebasketed.root --level rebasket --codec zstd:5', 'with new baskets and another codec'],
  ],
  options,
  notes: `Levels:
  clusters  trees say the clusters that their baskets have; all else is copied as it lies
  order     baskets lie in the order in which they are read: cluster by cluster, in each by branch. Trees say their
            true clusters; space that nothing uses and older cycles are left out
  rebasket  as order, and baskets are joined or divided so that clusters hold about 30 MB, with one basket of each branch`,
  json: `${WRITTEN_JSON}; with --dry-run
${PLAN_JSON}`,
  tool: commandTool({
    title: 'Write a file anew so that it is read faster',
    description:
      'Copies a ROOT file with its baskets in the order in which they are read. Values do not change. See doctor first.',
    params: { level: optional(oneOf(...HEAL_LEVELS), 'LEVEL', 'Default: order.') },
    writes: true,
    line: ({ level }, { file, output }) => ({ options: { json: true, level }, words: [file, output] }),
  }),
  async run(given, [file = '', out], context) {
    const level: HealLevel = HEAL_LEVELS.find((name) => name === given.level) ?? 'order';
    const codec = codecOf(given);
    const clusterBytes = clusterBytesOf(given['cluster-bytes'], level);
    const traced = given.by === undefined ? undefined : await savedReadings(given.by, given, context);
    return await withFile(file, given, context, async (open) => {
      const by = traced && together(readingsOfFile(traced, open.info));
      const how = { level, codec, clusterBytes, by, reproducible: given.reproducible };
      if (given['dry-run']) {
        const name = basename(out ?? file);
        await tellPlan(context, given, { level }, (call) => open.planHeal({ ...call, ...how, name }));
        return 0;
      }
      const target = targetOf(given, open.info.name, out);
      const verify = given['no-verify'] ? false : undefined;
      await saveRoot(target, { ...given, inPlace: given['in-place'] }, context, (sink, call) =>
        open.heal(sink, { ...call, ...how, verify }),
      );
      return 0;
    });
  },
});

/** The file to write. Throws UsageError. */
function targetOf(
  given: {
    'in-place'?: boolean | undefined;
    'no-verify'?: boolean | undefined;
    force?: boolean | undefined;
  },
  file: string,
  out: string | undefined,
): string {
  if (!given['in-place']) {
    if (out !== undefined) return out;
    throw new UsageError('OUT is missing; without it, only --dry-run and --in-place are possible.');
  }
  if (out !== undefined) throw new UsageError('--in-place takes no OUT.');
  if (given['no-verify']) throw new UsageError('--in-place always verifies.');
  if (given.force) throw new UsageError('--in-place needs no --force.');
  if (isUrl(file)) throw new UsageError('--in-place takes a file of this machine.');
  return file;
}

/** Throws UsageError. */
function clusterBytesOf(text: string | undefined, level: HealLevel): number | undefined {
  if (text === undefined) return undefined;
  if (level !== 'rebasket') throw new UsageError('--cluster-bytes is for --level rebasket.');
  const bytes = parseBytes(text);
  if (bytes < 1000) throw new UsageError('--cluster-bytes takes 1kB at least.');
  return bytes;
}
