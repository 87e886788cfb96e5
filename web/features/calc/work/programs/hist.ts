import type { OperationName } from '../operations';
import type { Step } from '../steps';
import { NUMPY_HELPERS, NUMPY_NEEDS } from './hist-helpers';
import {
  factorText,
  numberText,
  rangesText,
  text,
  untranslated,
  type Written,
  writtenSteps,
} from './program';

const START = `import hist
import numpy as np
import uproot


def made(h, values, variances):
    """A histogram with other contents and squared errors."""
    copy = hist.Hist(*h.axes, storage=hist.storage.Weight())
    view = copy.view(flow=True)
    view["value"], view["variance"] = values, variances
    return copy


def arrays(h):
    return h.values(flow=True), h.variances(flow=True)


def stored(name, path):
    """A stored histogram with its squared errors."""
    read = uproot.open(name)[path]
    if read.classname.startswith("TProfile"):
        raise ValueError(f"{path} is a profile, of which hist adds means. Take the program for ROOT.")
    h = read.to_hist()
    for letter, axis in zip("XYZ", h.axes):
        first, last = (read.member(f"f{letter}axis").member(end) for end in ("fFirst", "fLast"))
        if last > 0 and (first > 1 or last < axis.size):
            raise ValueError(f"{path} shows a range of an axis, which hist has not. Take the program for ROOT.")
    return made(h, *arrays(h))
`;

const HELPERS: Record<string, string> = {
  span: `def span(axis, low, high):
    """The bins of a range of values, from 0, and the end."""
    edges = axis.edges
    inside = [i for i in range(axis.size) if edges[i + 1] > low and edges[i] < high]
    return inside[0], inside[-1] + 1
`,
  taken: `def taken(h, to, *spans, **bins):
    """A slice for each axis."""
    for name, (first, last) in bins.items():
        if first < 1 or last > h.axes["xyz".index(name)].size:
            raise ValueError(f"The bins {first} to {last} of {name} have underflow or overflow. Take the program for ROOT.")
    found = {name: slice(first - 1, last) for name, (first, last) in bins.items()}
    free = [name for name in "xyz"[: h.ndim] if name not in found and name not in to]
    for name, (low, high) in zip(free, spans):
        found[name] = slice(*span(h.axes["xyz".index(name)], low, high))
    return [found.get(name) for name in "xyz"[: h.ndim]]
`,
  project: `def project(h, to, *spans, **bins):
    """The projection to axes, within ranges of the others."""
    slices = taken(h, to, *spans, **bins)
    parts = [slice(None) if s is None else slice(s.start, s.stop, sum) for s in slices]
    part = h[tuple(parts)]
    kept = [name for name, s in zip("xyz", slices) if s is None]
    return part.project(*[kept.index(name) for name in to])
`,
  integral: `def integral(h, *spans, width=False, **bins):
    """The sum of the contents, and its error."""
    slices = tuple(s or slice(None) for s in taken(h, "", *spans, **bins))
    size = np.prod(np.ix_(*[axis.widths for axis in h.axes]), axis=0) if width else np.ones(h.shape)
    values, variances = h.values() * size, h.variances() * size**2
    return values[slices].sum(), np.sqrt(variances[slices].sum())
`,
  plus: `def plus(h, value):
    """The histogram with a number added to each bin."""
    copy = made(h, *arrays(h))
    copy.view()["value"] += value
    return copy
`,
  total: `def total(a, b):
    return made(a, a.values(flow=True) + b.values(flow=True), a.variances(flow=True) + b.variances(flow=True))
`,
  minus: `def minus(a, b):
    return made(a, a.values(flow=True) - b.values(flow=True), a.variances(flow=True) + b.variances(flow=True))
`,
  times: `def times(a, b):
    (u, s), (v, t) = arrays(a), arrays(b)
    return made(a, u * v, s * v**2 + t * u**2)
`,
  over: `def over(a, b, binomial=False):
    """The ratio; 0 where b is 0."""
    (u, s), (v, t) = arrays(a), arrays(b)
    full = np.where(v == 0, 1, v)
    variances = (s * full**2 + t * u**2) / full**4
    if binomial:
        variances = np.where(u == v, 0, np.abs((1 - 2 * u / full) * s + u**2 * t / full**2) / full**2)
    return made(a, np.where(v == 0, 0, u / full), np.where(v == 0, 0, variances))
`,
  cumulative: `def cumulative(h, backward=False):
    """Sums of all bins up to each one."""
    if h.ndim > 1:
        raise ValueError("Sums of bins along several axes are not written for hist. Take the program for ROOT.")
    step = -1 if backward else 1
    add = lambda values: np.cumsum(values[::step])[::step]
    copy = hist.Hist(*h.axes, storage=hist.storage.Weight())
    copy.view()["value"] = add(h.values())
    copy.view()["variance"] = add(h.variances())
    return copy
`,
  ...NUMPY_HELPERS,
};

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  ...NUMPY_NEEDS,
  project: ['taken', 'span'],
  integral: ['taken', 'span'],
  taken: ['span'],
};

type Line = (one: Written) => string;
const first = ({ of }: Written): string => of[0]?.name ?? '';
const second = ({ of }: Written): string => of[1]?.name ?? '';

const axesText = ({ args }: Written): string => text(((args.axes as string[]) ?? []).join(''));

const both =
  (whole: Line, right: Line, left: Line, sign: string): Line =>
  (one) => {
    const [a, b] = one.of;
    if (a?.isNumber && b?.isNumber) return `${a.name} ${sign} ${b.name}`;
    return (a?.isNumber ? left : b?.isNumber ? right : whole)(one);
  };

const lacks =
  (what: string): Line =>
  () => {
    throw untranslated(`hist has no ${what}.`);
  };

const CODE: Record<OperationName, Line> = {
  add: both(
    (one) => `total(${first(one)}, ${second(one)})`,
    (one) => `plus(${first(one)}, ${second(one)})`,
    (one) => `plus(${second(one)}, ${first(one)})`,
    '+',
  ),
  subtract: both(
    (one) => `minus(${first(one)}, ${second(one)})`,
    (one) => `plus(${first(one)}, -(${second(one)}))`,
    (one) => `plus(${second(one)} * -1, ${first(one)})`,
    '-',
  ),
  multiply: both(
    (one) => `times(${first(one)}, ${second(one)})`,
    (one) => `${first(one)} * ${second(one)}`,
    (one) => `${second(one)} * ${first(one)}`,
    '*',
  ),
  divide: both(
    (one) => `over(${first(one)}, ${second(one)}${one.args.binomial ? ', binomial=True' : ''})`,
    (one) => `${first(one)} * (1 / (${second(one)}))`,
    lacks('division of a number by a histogram'),
    '/',
  ),
  scale: (one) => {
    const h = first(one);
    const factor = factorText(one);
    const scaled = factor === undefined ? h : `${h} * (${factor})`;
    return one.args.width ? `per_width(${scaled})` : scaled;
  },
  rebin: (one) => {
    if (one.args.edges)
      return `rebinned(${first(one)}, [${(one.args.edges as number[]).map(numberText).join(', ')}])`;
    const groups = (one.args.groups as number[]) ?? [];
    return `${first(one)}[${groups.map((group) => (group === 1 ? ':' : `:: hist.rebin(${group})`)).join(', ')}]`;
  },
  cumulative: (one) => `cumulative(${first(one)}${one.args.backward ? ', backward=True' : ''})`,
  project: (one) =>
    `project(${first(one)}, ${text(((one.args.axes as string[]) ?? []).join(''))}${rangesText(one.args)})`,
  gate: (one) => `gate(${first(one)}, ${axesText(one)}${rangesText(one.args)})`,
  profile: (one) => {
    const errors = one.args.errors ? `, errors=${text(one.args.errors)}` : '';
    return `profile(${first(one)}, ${axesText(one)}${rangesText(one.args)}${errors})`;
  },
  // The program has means with their errors.
  means: first,
  smooth: (one) => {
    if (one.args.shown) throw untranslated('hist keeps no range of an axis that is shown.');
    return `smooth(${first(one)}, ${one.number('times') ?? 1})`;
  },
  snip: (one) => {
    if (one.args.compton) throw untranslated('Compton edges are not written for hist.');
    const options = [
      one.args.order !== undefined && `order=${one.number('order')}`,
      one.args.smoothing !== undefined && `smoothing=${one.number('smoothing')}`,
      one.args.increasing === true && 'increasing=True',
    ].filter(Boolean);
    return `snip(${[first(one), one.number('iterations') ?? '20', ...options].join(', ')})`;
  },
  range: lacks('range on an axis'),
  // A histogram of hist has no statistics besides its bins.
  recount: first,
  integral: (one) =>
    `integral(${first(one)}${rangesText(one.args)}${one.args.width ? ', width=True' : ''})[0]`,
  stats: lacks('statistics besides its bins'),
  efficiency: (one) => {
    const interval = String(one.args.interval ?? 'cp');
    if (interval === 'fc' || interval === 'midp')
      throw untranslated(`The intervals "${interval}" are not written for hist.`);
    const level = one.number('level');
    return `efficiency(${first(one)}, ${second(one)}, ${text(interval)}${level === undefined ? '' : `, level=${level}`})`;
  },
};

/** Returns a program for hist in Python, whose "result" has the bins of the steps. Throws UNSUPPORTED for what it cannot do. */
export function histProgram(
  steps: readonly Step[],
  split: (name: string) => { file: string; path: string },
): string {
  const lines: string[] = [];
  const profiles = new Set<string>();
  for (const { name, written } of writtenSteps(steps)) {
    const { op } = written.step;
    // In the program the bins of a profile are its means, which cannot be added.
    const ofProfile = written.of.some((one) => profiles.has(one.name));
    if (ofProfile && op !== 'means' && op !== 'recount')
      throw untranslated('Operations on a profile are not written for hist, except means.');
    if (op === 'profile' || (ofProfile && op === 'recount')) profiles.add(name);
    if (op === 'number') {
      if (name === 'result') lines.push(`${name} = ${numberText(Number(written.args.value))}`);
    } else if (op === 'open') {
      const { file, path } = split(String(written.args.name));
      if (path === '') throw untranslated('hist reads no partial results of xylem.');
      lines.push(`${name} = stored(${text(file)}, ${text(path)})`);
    } else if (op === 'fill')
      throw untranslated(
        'Filled histograms are not written for hist; "xylem draw --code uproot" fills them.',
      );
    else lines.push(`${name} = ${CODE[op as OperationName](written)}`);
  }
  const body = lines.join('\n');
  const used = new Set<string>();
  const add = (helper: string): void => {
    used.add(helper);
    for (const more of NEEDS[helper] ?? []) add(more);
  };
  for (const helper of Object.keys(HELPERS)) if (body.includes(`${helper}(`)) add(helper);
  const helpers = Object.keys(HELPERS)
    .filter((name) => used.has(name))
    .map((name) => `\n\n${HELPERS[name]}`)
    .join('');
  return `${START}${helpers}\n\n${body}\n`;
}
