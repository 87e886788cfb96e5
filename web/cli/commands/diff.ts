import { formatCount } from '../../base/format';
import { floatText } from '../../export/canonical';
import { UsageError } from '../arguments';
import { command } from '../command';
import { type Context, progressLine, withFile } from '../context';
import { diffFiles } from '../diff/diff-files';
import {
  DIFF_PARTS,
  type DiffPart,
  type DiffReport,
  differingParts,
  type SchemaDiff,
} from '../diff/diff-report';
import { filesOptions, valued } from '../options';

export const diff = command({
  usage: ['A B'],
  about: `Compares what two files hold: keys and branches with their types, entries, the values of all branches
that both have, and objects. Of each path the highest cycle is meant. Two histograms that differ are
also compared by ROOT's Chi2Test and, in one dimension, KolmogorovTest.`,
  options: {
    parts: valued(
      'a,b',
      'what to compare, of schema, entries, values, objects, layout; default: all but layout (layout: sizes, ' +
        'baskets and compression of branches)',
      { multiple: true, choices: DIFF_PARTS },
    ),
    'fail-on': valued(
      'a,b',
      'exit status 1 only where they differ in these parts; default: in any that is compared',
      { multiple: true, choices: DIFF_PARTS },
    ),
    rtol: valued(
      'R',
      'numbers a and b are the same when |a - b| <= A + R max(|a|, |b|); default 0: exact. NaN is the same as NaN',
    ),
    atol: valued('A', 'see --rtol; default 0'),
    'p-value': valued('P', 'histograms that differ are the same when chi2 gives a probability of P or more'),
    ...filesOptions,
  },
  json: `{"same", "files": [A, B], "keys": {"added", "removed", "changed": [{"path", "from", "to"}]},
"trees": [{"path", "entries": [a, b], "added", "removed", "changed"}],
"values": [{"tree", "branch", "entries", "different", "first", "maxAbs", "maxRel", "error"}],
"objects": [{"path", "className", "member", "chi2": {"chi2", "ndf", "p"}, "kolmogorov": {"distance", "p"}, "error"}],
"layout": [{"tree", "branch", "what", "from", "to"}], "compared": {"trees", "branches", "entries", "objects"}}
Lists have what differs. "nan" and the infinities are strings.`,
  exit: '0 the same (or with --fail-on in those parts), 1 different or unreadable, 2 the command line was not understood.',
  async run(given, [left = '', right = ''], context) {
    const parts = partsOf(given.parts) ?? new Set(DIFF_PARTS.filter((part) => part !== 'layout'));
    const failOn = partsOf(given['fail-on']);
    const idle = [...(failOn ?? [])].find((part) => !parts.has(part));
    if (idle !== undefined) throw new UsageError(`--fail-on ${idle}, but --parts leaves it out.`);
    const tolerance = { rel: fraction(given.rtol, '--rtol') ?? 0, abs: fraction(given.atol, '--atol') ?? 0 };
    const probability = fraction(given['p-value'], '--p-value');
    const progress = progressLine(context);
    const report = await withFile(left, given, context, (a) =>
      withFile(right, given, context, (b) =>
        diffFiles(a, b, { parts, tolerance, probability, onProgress: progress.show }),
      ),
    );
    await progress.wipe();
    if (given.json) context.out.line(reportJson(report));
    else for (const line of reportLines(report)) await putLine(line, context);
    if (failOn === undefined) return report.same ? 0 : 1;
    return differingParts(report).some((part) => failOn.has(part)) ? 1 : 0;
  },
});

async function putLine(line: string, { out }: Context): Promise<void> {
  out.line(line);
  await out.drain();
}

function partsOf(lists: readonly string[] | undefined): Set<DiffPart> | undefined {
  if (lists === undefined) return undefined;
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  return new Set(DIFF_PARTS.filter((part) => names.includes(part)));
}

function fraction(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && Number.isFinite(value)))
    throw new UsageError(`${name} takes a number of 0 or more, not "${text}".`);
  return value;
}

function reportJson(report: DiffReport): string {
  return JSON.stringify(report, (_name, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? (JSON.parse(floatText(value)) as string) : value,
  );
}

function reportLines({ same, keys, trees, values, objects, layout, compared }: DiffReport): string[] {
  const lines = schemaLines(keys, 'key', '');
  for (const { path, entries, ...schema } of trees) {
    if (entries[0] !== entries[1])
      lines.push(`~ ${path}: ${formatCount(entries[0])} -> ${formatCount(entries[1])} entries`);
    lines.push(...schemaLines(schema, 'branch', `${path}/`));
  }
  for (const { tree, branch, different, entries, first, maxAbs, maxRel, error } of values) {
    const place = `${tree}/${branch}`;
    if (error !== undefined) lines.push(`? ${place}: ${error}`);
    else {
      const most = maxAbs === undefined ? '' : `, by up to ${short(maxAbs)} (relative ${short(maxRel ?? 0)})`;
      const count = `${formatCount(different)} of ${formatCount(entries)} entries differ`;
      lines.push(`~ ${place}: ${count}, the first is ${first}${most}`);
    }
  }
  for (const { path, className, member, chi2, kolmogorov, error } of objects) {
    if (error !== undefined) lines.push(`? ${className} ${path}: ${error}`);
    else {
      const tests = [
        ...(chi2 ? [`chi2/ndf ${short(chi2.chi2)}/${chi2.ndf}, p ${short(chi2.p)}`] : []),
        ...(kolmogorov
          ? [`Kolmogorov distance ${short(kolmogorov.distance)}, p ${short(kolmogorov.p)}`]
          : []),
      ];
      lines.push(`~ ${className} ${path}: ${[`differs in ${member}`, ...tests].join('; ')}`);
    }
  }
  for (const { tree, branch, what, from, to } of layout)
    lines.push(`~ ${tree}/${branch}: ${what} ${from} -> ${to}`);
  const { trees: n, branches, entries, objects: m } = compared;
  const looked = `${formatCount(n)} trees, ${formatCount(branches)} branches, ${formatCount(entries)} entries, ${formatCount(m)} objects`;
  lines.push(`${same ? 'the same' : 'different'}: ${looked} compared`);
  return lines;
}

function schemaLines({ added, removed, changed }: SchemaDiff, what: string, above: string): string[] {
  return [
    ...removed.map((path) => `- ${what} ${above}${path}`),
    ...added.map((path) => `+ ${what} ${above}${path}`),
    ...changed.map(({ path, from, to }) => `~ ${what} ${above}${path}: ${from} -> ${to}`),
  ];
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
