import { parseDraw } from '../../../../query/compile/draw-spec';
import type { OperationName } from '../operations';
import { INTERVALS, type IntervalName } from '../ops/efficiency';
import type { Step } from '../steps';
import {
  factorText,
  numberText,
  rangesText,
  text,
  untranslated,
  type Written,
  writtenSteps,
} from './program';

/** Functions of the program, which is only given those that it calls, and those that these call. */
const HELPERS: Record<string, string> = {
  stored: `def stored(name, path):
    """A stored histogram, its contents as doubles."""
    files[name] = files.get(name) or ROOT.TFile.Open(name)
    found = files[name].Get(path)
    found.BufferEmpty(1)
    if found.InheritsFrom("TProfile") or found.InheritsFrom("TProfile2D"):
        return found.Clone()
    copy = [ROOT.TH1D, ROOT.TH2D, ROOT.TH3D][found.GetDimension() - 1]()
    found.Copy(copy)
    return copy
`,
  axes: `def axes(h):
    return [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][: h.GetDimension()]
`,
  bins_of: `def bins_of(axis, low, high):
    """The bins of a range of values."""
    copy = axis.Clone()
    copy.SetRangeUser(low, high)
    return copy.GetFirst(), copy.GetLast()
`,
  ranged: `def ranged(h, *spans, taken="", **bins):
    """A copy with ranges on its axes: of values in order, or of bins by name."""
    copy = h.Clone()
    found = dict(zip("xyz", axes(copy)))
    for name, (first, last) in bins.items():
        found[name].SetRange(first, last)
    free = [name for name in found if name not in bins and name not in taken]
    for name, (low, high) in zip(free, spans):
        found[name].SetRangeUser(low, high)
    return copy
`,
  plus: `def plus(h, value):
    """The histogram with a number added to each bin."""
    copy = h.Clone()
    if copy.GetSumw2N() == 0:
        copy.Sumw2()
    ends = [end for axis in axes(h) for end in (axis.GetXmin(), axis.GetXmax())]
    copy.Add([ROOT.TF1, ROOT.TF2, ROOT.TF3][h.GetDimension() - 1]("constant", f"{value}+0*x", *ends))
    return copy
`,
  scaled: `def scaled(h, factor, option=""):
    copy = h.Clone()
    copy.Scale(factor, option)
    return copy
`,
  integral: `def integral(h, *spans, option="", **bins):
    """The sum of the contents, and its error."""
    h = ranged(h, *spans, **bins)
    error = ctypes.c_double(0)
    found = [bound for axis in axes(h) for bound in (axis.GetFirst(), axis.GetLast())]
    return h.IntegralAndError(*found, error, option), error.value
`,
  project: `def project(h, to, *spans, **bins):
    """The projection to one or two axes."""
    h = ranged(h, *spans, taken=to, **bins)
    if h.GetDimension() == 3:
        return h.Project3D(to[::-1] + "e").Clone()
    if len(to) == 2:
        return h.Clone()
    other = h.GetYaxis() if to == "x" else h.GetXaxis()
    first, last = (other.GetFirst(), other.GetLast()) if other.TestBit(ROOT.TAxis.kAxisRange) else (0, -1)
    other.SetRange(0, 0)
    if h.InheritsFrom("TProfile2D"):
        return (h.ProfileX if to == "x" else h.ProfileY)("projected", first, last).Clone()
    # ROOT uses a histogram of the same name again.
    return (h.ProjectionX if to == "x" else h.ProjectionY)("projected", first, last, "e").Clone()
`,
  gate: `def gate(h, to, inside, beside=None):
    """The projection within a gate, minus that of the background beside it."""
    axis = h.GetYaxis() if to == "x" else h.GetXaxis()
    result = project(h, to, inside)
    if beside is None:
        return result
    first, last = bins_of(axis, *inside)
    left, right = bins_of(axis, *beside)
    width = lambda one, other: axis.GetBinUpEdge(other) - axis.GetBinLowEdge(one)
    result.Add(scaled(project(h, to, beside), width(first, last) / width(left, right)), -1)
    return result
`,
  profile: `def profile(h, to, *spans, errors="", **bins):
    """The means along one axis."""
    h = ranged(h, *spans, taken=to, **bins)
    other = h.GetYaxis() if to == "x" else h.GetXaxis()
    first, last = other.GetFirst(), other.GetLast()
    return (h.ProfileX if to == "x" else h.ProfileY)("profile", first, last, errors).Clone()
`,
  rebin: `def rebin(h, *groups):
    copy = h.Clone()
    groups = [*groups, *[1] * (h.GetDimension() - len(groups))]
    {1: copy.Rebin, 2: getattr(copy, "Rebin2D", None), 3: getattr(copy, "Rebin3D", None)}[h.GetDimension()](*groups)
    return copy
`,
  means: `def means(p):
    return p.ProjectionX("means", "e") if p.GetDimension() == 1 else p.ProjectionXY("means", "e")
`,
};

/** The functions that others call. */
const NEEDS: Record<string, string[]> = {
  ranged: ['axes'],
  plus: ['axes'],
  integral: ['ranged', 'axes'],
  project: ['ranged', 'axes'],
  gate: ['project', 'ranged', 'axes', 'bins_of', 'scaled'],
  profile: ['ranged', 'axes'],
};

type Line = (one: Written, name: string) => string;

const clone =
  (change: (one: Written, name: string) => string): Line =>
  (one, name) =>
    `${name} = ${one.of[0]?.name}.Clone()\n${name}.${change(one, name)}`;

const first = ({ of }: Written): string => of[0]?.name ?? '';
const second = ({ of }: Written): string => of[1]?.name ?? '';
const to = ({ args }: Written): string => text(((args.axes as string[]) ?? []).join(''));

/** An operation of two operands: of histograms, of a histogram and a number, of a number and a histogram. */
const both =
  (whole: Line, right: Line, left: Line, sign: string): Line =>
  (one, name) => {
    const [a, b] = one.of;
    if (a?.isNumber && b?.isNumber) return `${name} = ${a.name} ${sign} ${b.name}`;
    return (a?.isNumber ? left : b?.isNumber ? right : whole)(one, name);
  };

const CODE: Record<OperationName, Line> = {
  add: both(
    clone((one) => `Add(${second(one)})`),
    (one, name) => `${name} = plus(${first(one)}, ${second(one)})`,
    (one, name) => `${name} = plus(${second(one)}, ${first(one)})`,
    '+',
  ),
  subtract: both(
    clone((one) => `Add(${second(one)}, -1)`),
    (one, name) => `${name} = plus(${first(one)}, -(${second(one)}))`,
    (one, name) => `${name} = plus(scaled(${second(one)}, -1), ${first(one)})`,
    '-',
  ),
  multiply: both(
    clone((one) => `Multiply(${second(one)})`),
    (one, name) => `${name} = scaled(${first(one)}, ${second(one)})`,
    (one, name) => `${name} = scaled(${second(one)}, ${first(one)})`,
    '*',
  ),
  divide: both(
    clone((one, name) =>
      one.args.binomial ? `Divide(${name}, ${second(one)}, 1, 1, "B")` : `Divide(${second(one)})`,
    ),
    (one, name) => `${name} = scaled(${first(one)}, 1 / (${second(one)}))`,
    () => {
      throw untranslated('A number is not divided by a histogram.');
    },
    '/',
  ),
  scale: (one, name) => {
    const h = first(one);
    const factor = factorText(one);
    const width = one.args.width ? `scaled(${factor === undefined ? h : name}, 1, "width")` : undefined;
    return [factor !== undefined && `${name} = scaled(${h}, ${factor})`, width && `${name} = ${width}`]
      .filter(Boolean)
      .join('\n');
  },
  rebin: (one, name) => {
    const edges = one.args.edges as number[] | undefined;
    if (edges)
      return `${name} = ${first(one)}.Rebin(${edges.length - 1}, "rebinned", array.array("d", [${edges.map(numberText).join(', ')}]))`;
    return `${name} = rebin(${first(one)}, ${((one.args.groups as number[]) ?? []).join(', ')})`;
  },
  cumulative: (one, name) => `${name} = ${first(one)}.GetCumulative(${one.args.backward ? 'False' : 'True'})`,
  project: (one, name) => `${name} = project(${first(one)}, ${to(one)}${rangesText(one.args)})`,
  gate: (one, name) => `${name} = gate(${first(one)}, ${to(one)}${rangesText(one.args)})`,
  profile: (one, name) =>
    `${name} = profile(${first(one)}, ${to(one)}${rangesText(one.args)}${one.args.errors ? `, errors=${text(one.args.errors)}` : ''})`,
  means: (one, name) => `${name} = means(${first(one)})`,
  smooth: clone((one) => `Smooth(${one.number('times') ?? 1}${one.args.shown ? ', "R"' : ''})`),
  snip: (one, name) => {
    const { args } = one;
    const options = [
      args.increasing ? 'BackIncreasingWindow' : '',
      args.order ? `BackOrder${args.order}` : '',
      args.smoothing === 0 ? 'nosmoothing' : args.smoothing ? `BackSmoothing${args.smoothing}` : '',
      args.compton ? 'Compton' : '',
    ].filter(Boolean);
    return `${name} = ROOT.TSpectrum().Background(${first(one)}, ${one.number('iterations') ?? 20}, ${text(options.join(' '))})`;
  },
  range: (one, name) => `${name} = ranged(${first(one)}${rangesText(one.args)})`,
  recount: clone(() => 'ResetStats()'),
  integral: (one, name) =>
    `${name}, ${name}_error = integral(${first(one)}${rangesText(one.args)}${one.args.width ? ', option="width"' : ''})`,
  stats: (one, name) => {
    const h = `ranged(${first(one)}${rangesText(one.args)})`;
    return `${name} = ${h}\nfor axis in range(1, ${name}.GetDimension() + 1):\n    print(${name}.GetMean(axis), ${name}.GetMeanError(axis), ${name}.GetStdDev(axis), ${name}.GetStdDevError(axis))`;
  },
  efficiency: (one, name) => {
    const interval = (one.args.interval ?? 'cp') as IntervalName;
    const level = one.number('level');
    return [
      `${name} = ROOT.TEfficiency(${first(one)}, ${second(one)})`,
      `${name}.SetStatisticOption(${INTERVALS[interval].option})`,
      ...(level === undefined ? [] : [`${name}.SetConfidenceLevel(${level})`]),
    ].join('\n');
  },
};

/** Returns a program for ROOT in Python, whose "result" is that of the steps. Throws UNSUPPORTED for what it cannot do. */
export function rootProgram(
  steps: readonly Step[],
  split: (name: string) => { file: string; path: string },
): string {
  const lines: string[] = [];
  for (const { name, written } of writtenSteps(steps)) {
    const { op } = written.step;
    if (op === 'number') {
      if (name === 'result') lines.push(`${name} = ${numberText(Number(written.args.value))}`);
    } else if (op === 'open') {
      const { file, path } = split(String(written.args.name));
      if (path === '') throw untranslated('ROOT reads no partial results of xylem.');
      lines.push(`${name} = stored(${text(file)}, ${text(path)})`);
    } else if (op === 'fill') lines.push(filled(written, name));
    else lines.push(CODE[op as OperationName](written, name));
  }
  const body = lines.join('\n');
  const used = new Set<string>();
  const add = (helper: string): void => {
    if (used.has(helper)) return;
    used.add(helper);
    for (const more of NEEDS[helper] ?? []) add(more);
  };
  for (const helper of Object.keys(HELPERS)) if (body.includes(`${helper}(`)) add(helper);
  const imports = [
    body.includes('array.array') && 'import array\n',
    used.has('integral') && 'import ctypes\n',
  ]
    .filter(Boolean)
    .join('');
  const helpers = Object.keys(HELPERS)
    .filter((name) => used.has(name))
    .map((name) => `\n\n${HELPERS[name]}`)
    .join('');
  const files = /\bfiles\b/.test(helpers + body) ? 'files = {}\n' : '';
  return `${imports}${imports && '\n'}import ROOT\n\nROOT.TH1.AddDirectory(False)\n${files}${helpers}\n\n${body}\n`;
}

function filled({ args }: Written, name: string): string {
  const { file, tree, expr, cut } = args;
  const spec = parseDraw(String(expr));
  const { axes, expressions } = spec;
  const ends = axes.flatMap(({ bins, range }) => (bins && range ? [bins, ...range] : []));
  if (tree === undefined || ends.length !== 3 * expressions.length)
    throw untranslated('A program fills a histogram if the tree, and bins and ends of all axes are given.');
  const what = expressions.map(({ text: whole, from, to: end }) => whole.slice(from, end).trim()).join(':');
  return `${name} = ROOT.TH${expressions.length}D(${text(name)}, "", ${ends.join(', ')})
${name}.SetDirectory(ROOT.gROOT)
files[${text(file)}] = files.get(${text(file)}) or ROOT.TFile.Open(${text(file)})
ROOT.gROOT.cd()
files[${text(file)}].Get(${text(tree)}).Draw(${text(`${what}>>${name}`)}, ${text(cut ?? '')}, "goff")`;
}
