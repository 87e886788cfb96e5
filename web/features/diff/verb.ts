import { dataJson } from '../../base/json';
import { listOf, NOT_NEGATIVE, needed, oneOf, optional, PROBABILITY, TEXT } from '../../base/shape';
import { verb } from '../../verbs/verb';
import { wholeCost } from '../../verbs/whole-cost';
import { diffFiles } from './work/diff-files';
import { DIFF_PARTS, type DiffReport, differingParts, diffReport } from './work/diff-report';

const PARTS = listOf(oneOf(...DIFF_PARTS), undefined, 1);
const usualParts = DIFF_PARTS.filter((part) => part !== 'layout');

export const diff = verb({
  name: 'diff',
  words: 'A B',
  about: `Compares what two files hold: keys and branches with their types, entries, the values of all branches
that both have, and objects. Of each path the highest cycle is meant. Two histograms that differ are
also compared by ROOT's Chi2Test and, in one dimension, KolmogorovTest.`,
  examples: [
    ['sample.root other.root', 'what differs between two files'],
    ['sample.root other.root --json', 'the same for a program'],
  ],
  params: {
    a: needed(TEXT, 'A', 'Path or address of the first file.'),
    b: needed(TEXT, 'B', 'Path or address of the second file.'),
    parts: optional(
      PARTS,
      'a,b',
      'what to compare, of schema, entries, values, objects, layout; default: all but layout (layout: sizes, ' +
        'baskets and compression of branches)',
    ),
    failOn: optional(
      PARTS,
      'a,b',
      'exit status 1 only where they differ in these parts; default: in any that is compared',
    ),
    rtol: optional(
      NOT_NEGATIVE,
      'R',
      'numbers a and b are the same when |a - b| <= A + R max(|a|, |b|); default 0: exact. NaN is the same as NaN',
    ),
    atol: optional(NOT_NEGATIVE, 'A', 'see --rtol; default 0'),
    pValue: optional(
      PROBABILITY,
      'P',
      'histograms that differ are the same when chi2 gives a probability of P or more',
    ),
  },
  json: `{"same", "files": [A, B], "keys": {"added", "removed", "changed": [{"path", "from", "to"}]},
"trees": [{"path", "entries": [a, b], "added", "removed", "changed"}],
"values": [{"tree", "branch", "entries", "different", "first", "maxAbs", "maxRel", "error"}],
"objects": [{"path", "className", "member", "chi2": {"chi2", "ndf", "p"}, "kolmogorov": {"distance", "p"}, "error"}],
"layout": [{"tree", "branch", "what", "from", "to"}], "compared": {"trees", "branches", "entries", "objects"}}
Lists have what differs. "nan" and the infinities are strings.`,
  exit: '0 the same (or with --fail-on in those parts), 1 different or unreadable, 2 the command line was not understood.',
  wrong({ parts = usualParts, failOn = [] }) {
    const idle = failOn.find((part) => !parts.includes(part));
    return idle && `--fail-on ${idle}, but --parts leaves it out.`;
  },
  run: ({ a, b, parts = usualParts, rtol: rel = 0, atol: abs = 0, pValue }, call) => {
    const options = { parts: new Set(parts), tolerance: { rel, abs }, probability: pValue };
    const { signal, onProgress } = call;
    return call.withFile(a, (left) =>
      call.withFile(b, (right) => diffFiles(left, right, { ...options, signal, onProgress })),
    );
  },
  report: (found) => diffReport(found),
  toJson: (found: DiffReport) => dataJson(found),
  status(found, { failOn }) {
    const fails = failOn ? differingParts(found).some((part) => failOn.includes(part)) : !found.same;
    return fails ? 1 : 0;
  },
  tool: {
    title: 'What differs between two files',
    description:
      'Compares keys, branches, entries, values and objects of two files; histograms that differ also by Chi2Test and KolmogorovTest. Reads both files.',
    cost: ({ a, b, parts = usualParts }, call) => {
      const reads = parts.some((part) => part === 'values' || part === 'objects');
      return wholeCost(reads ? [a, b] : [], call, 'both files');
    },
  },
});
