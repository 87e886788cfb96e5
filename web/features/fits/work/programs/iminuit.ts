import type { FitOptions } from '../../../../api/fit';
import { quotedText } from '../../../../base/literal';
import { uprootProgram } from '../../../snippets/work/programs-uproot';
import { Untranslated } from '../../../snippets/work/translate/translate';
import { METHOD } from '../fit-core';
import { indexOf, isSolved, type Setting } from '../task';
import { numberText } from './number-text';
import type { WrittenFit, WrittenTogether } from './program';
import { pythonFunction } from './python';

/** Nodes of the rule of Gauss in a bin. */
const NODES = 20;
/** Steps of a range that is integrated. */
const STEPS = 32;

/** A program for iminuit in Python. Throws Untranslated. */
export function iminuitProgram(fit: WrittenFit): string {
  const { model, settings, options, choice, points } = fit;
  const reading = readingOf(fit);
  const { text, helpers } = pythonFunction(model);
  const isNll = points.method >= METHOD.poisson;
  const start = `[${settings.map(({ value }) => numberText(value)).join(', ')}]`;
  const linear = isSolved(fit)
    ? LINEAR.replace('START', start).replace(
        'FIXED',
        settings.map(({ fixed }) => (fixed ? 'True' : 'False')).join(', '),
      )
    : '';
  const body = `${pointsOf(fit)}

${costOf(fit)}

${linear}m = Minuit(cost, ${linear === '' ? start : 'start'}, name=[${model.names.map(quotedText).join(', ')}])
m.errordef = ${isNll ? 'Minuit.LIKELIHOOD' : 'Minuit.LEAST_SQUARES'}
m.tol = ${options.tolerance ?? 0.01}  # as ROOT
m.strategy = ${options.strategy ?? 1}
m.errors = ${linear === '' ? `[${stepsText(settings)}]` : 'np.where(fixed, 0.1, errors)'}
${settings.map(limitLine).join('')}${migradLine(options)}
${choice.minos && linear === '' ? 'm.hesse()\n' : ''}${choice.method === 'weighted' ? WEIGHTED : linear !== '' ? '' : 'errors = np.where(m.fixed, 0, m.errors)\n'}${endOf(fit)}`;
  const whole = `${reading.text}${helpers.map((one) => `\n\n${one}`).join('')}\n\n${text}\n\n${body}`;
  const imports = [
    'from iminuit import Minuit',
    ...(/\bspecial\./.test(whole) ? ['from scipy import special'] : []),
    ...(reading.hasNumpy ? [] : ['import numpy as np', 'import uproot']),
  ];
  return `${imports.join('\n')}\n${whole}`;
}

/** A program of a simultaneous fit: the sum of the costs of all parts. Throws Untranslated. */
export function iminuitTogether({ parts, names, settings, from, use }: WrittenTogether): string {
  const [first] = parts as [WrittenFit];
  const { choice, options, points } = first;
  if (choice.method === 'weighted')
    throw new Untranslated('A simultaneous fit of weighted bins is not written for iminuit.');
  const helpers = new Set<string>();
  const blocks = parts.map((part, k) => {
    const { text, helpers: own } = pythonFunction(part.model);
    for (const one of own) helpers.add(one);
    const isGraph = part.source.kind === 'stored' && part.source.className.startsWith('TGraph');
    const body = `${text}\n${pointsOf(part)}\n${costOf(part).trim()}\n\nreturn cost, len(content)`;
    const indented = body.replaceAll(/\n{3,}/g, '\n\n').replaceAll(/^(?=.)/gm, '    ');
    return `def part${k + 1}(${isGraph ? 'g' : 'h'}):\n    """The cost of ${k + 1} of ${parts.length}, and its number of points."""\n\n${indented}\n`;
  });
  const data = parts.map(({ source }, k) =>
    source.kind === 'drawn'
      ? `layers[${k}][1]`
      : `uproot.open(${quotedText(source.address)})[${quotedText(source.path)}]`,
  );
  for (const { source } of parts) if (source.kind === 'stored') checkStored(source.className);
  const isNll = points.method >= METHOD.poisson;
  const reading = use ? uprootProgram(use, 'bins') : '';
  const whole = `${[...helpers, ...blocks].join('\n\n')}`;
  const imports = [
    'from iminuit import Minuit',
    ...(/\bspecial\./.test(whole) ? ['from scipy import special'] : []),
    ...(use ? [] : ['import numpy as np', 'import uproot']),
  ];
  const chi2 = isNll ? '2 * m.fval' : 'm.fval';
  return `${imports.join('\n')}
${reading}

${whole}

parts = [${data.map((one, k) => `part${k + 1}(${one})`).join(', ')}]
numbers = [${from.map((one) => `[${one.join(', ')}]`).join(', ')}]  # the parameters of each part


def total(p):
    """The sum of the costs."""
    p = np.asarray(p)
    return sum(cost(p[own]) for (cost, _), own in zip(parts, numbers))


m = Minuit(total, [${settings.map(({ value }) => numberText(value)).join(', ')}], name=[${names.map(quotedText).join(', ')}])
m.errordef = ${isNll ? 'Minuit.LIKELIHOOD' : 'Minuit.LEAST_SQUARES'}
m.tol = ${options.tolerance ?? 0.01}  # as ROOT
m.strategy = ${options.strategy ?? 1}
m.errors = [${stepsText(settings)}]
${settings.map(limitLine).join('')}${migradLine(options)}
${choice.minos ? 'm.hesse()\n' : ''}errors = np.where(m.fixed, 0, m.errors)
print("valid" if m.valid else "not valid", "FCN", m.fval, "edm", m.fmin.edm, "calls", m.nfcn)
for name, value, error_of in zip(m.parameters, m.values, errors):
    print(name, value, "+-", error_of)
print("chi2 / ndf", ${chi2}, "/", sum(points for _, points in parts) - m.nfit)
${choice.minos ? 'm.minos()\nprint(m.merrors)\n' : ''}`;
}

const stepsText = (settings: readonly Setting[]): string =>
  settings.map(({ step, value }) => numberText(step || 0.1 * Math.abs(value) || 0.1)).join(', ');

/** The start of a function that is linear in its parameters: the solution. */
const LINEAR = `# The function is linear in its parameters: the fit begins at the solution, and has its errors.
start, fixed = np.array(START, dtype=float), np.array([FIXED])
design = np.array([f(x, one) for one in np.eye(len(start))[~fixed]]).T / error[:, None]
rest = (content - f(x, np.where(fixed, start, 0))) / error
triangle = np.linalg.qr(design)
start[~fixed] = np.linalg.solve(triangle.R, triangle.Q.T @ rest)
errors = np.zeros(len(start))
errors[~fixed] = np.linalg.norm(np.linalg.inv(triangle.R), axis=1)
`;

function limitLine({ low, high, fixed }: Setting, i: number): string {
  const end = (value: number | undefined) => (value === undefined ? 'None' : numberText(value));
  if (fixed) return `m.fixed[${i}] = True\n`;
  return low === undefined && high === undefined ? '' : `m.limits[${i}] = (${end(low)}, ${end(high)})\n`;
}

/** Lines that fill or read, up to `h`, `g`, or `values` and `weights`. */
function readingOf({ source }: WrittenFit): { text: string; hasNumpy: boolean } {
  if (source.kind === 'drawn')
    return { text: uprootProgram(source.use, source.values ? 'values' : 'bins'), hasNumpy: true };
  const { address, path, className } = source;
  checkStored(className);
  const name = className.startsWith('TGraph') ? 'g' : 'h';
  return { text: `\n${name} = uproot.open(${quotedText(address)})[${quotedText(path)}]\n`, hasNumpy: false };
}

function checkStored(className: string): void {
  if (/^TH3|MultiErrors|^Roo|^TCutG/.test(className))
    throw new Untranslated(`uproot has no points of a ${className}.`);
}

/** Lines that set the coordinates, \`content\` and \`error\` of the points. */
function pointsOf(fit: WrittenFit): string {
  const { source, points } = fit;
  if (points.method >= METHOD.unbinned) {
    const [[low, high] = [0, 0]] = points.range;
    return `low, high = ${numberText(low)}, ${numberText(high)}
inside = (values >= low) & (values <= high)
x, weights = values[inside], weights[inside]
`;
  }
  if (source.kind === 'stored' && source.className.startsWith('TGraph'))
    return graphPoints(fit, source.className);
  return binPoints(fit);
}

function binPoints({ source, points, choice, bins }: WrittenFit): string {
  const isStored = source.kind === 'stored';
  const isProfile = isStored
    ? source.className.startsWith('TProfile')
    : source.use.layers[0].tree && source.use.layers[0].profile;
  const h = isProfile && !isStored ? 'counts' : 'h';
  const letters = points.data.x.length === 2 ? ['x', 'y'] : ['x'];
  const slices = letters.map((_, k) => (bins[k] ? `${bins[k][0]}:${bins[k][1]}` : ':'));
  const slice = bins.some((one) => one) ? `[${slices.join(', ')}]` : '';
  const place = (what: string, k: number) => {
    const all = isStored ? `${h}.axis(${k}).${what}()` : `${h}.axes[${k}].${what}`;
    return `${all}${slices[k] === ':' ? '' : `[${slices[k]}]`}`;
  };
  const is2D = letters.length === 2;
  const flat = is2D ? '.ravel()' : '';
  const each = (what: string, names: readonly string[], after: string) =>
    is2D
      ? `${names.join(', ')} = (one.ravel()${after} for one in np.meshgrid(${letters.map((_, k) => place(what, k)).join(', ')}, indexing="ij"))\n`
      : `${names[0]} = ${place(what, 0)}${after}\n`;
  const halves = letters.map((letter) => `half_${letter}`);
  const all = [...letters, ...(choice.integral ? halves : []), 'content', 'error'];
  const contents =
    !isProfile || isStored ? [`${h}.values()`, storedErrors(isProfile === true, isStored)] : undefined;
  const errors = contents
    ? `content = ${contents[0]}${slice}${flat}\nerror = ${contents[1]}${slice}${flat}\n`
    : PROFILE.replaceAll('SLICE', `${slice}${flat}`);
  const own =
    choice.ones !== 'none'
      ? choice.ones === 'all'
        ? 'error = np.ones_like(content)\n'
        : 'keep = (error > 0) | (content != 0)\nerror = np.ones_like(content)\n'
      : points.method === METHOD.poisson || points.method === METHOD.pearson
        ? 'error = np.where(error > 0, error, 1)\n'
        : 'keep = error > 0  # bins without an error do not count, as in ROOT\n';
  const kept = own.startsWith('keep')
    ? `${all.join(', ')} = (one[keep] for one in (${all.join(', ')}))\n`
    : '';
  return `${each('centers', letters, '')}${choice.integral ? each('widths', halves, ' / 2') : ''}${errors}${own}${kept}`;
}

const storedErrors = (isProfile: boolean, isStored: boolean): string =>
  isProfile && isStored ? 'h.errors()' : 'np.sqrt(np.abs(h.variances()))';

/** The means of a profile and their errors, as TProfile computes them. */
const PROFILE = `with np.errstate(all="ignore"):
    content = (sums.values() / counts.values())SLICE
    spread = np.sqrt(np.abs(squares.values() / counts.values() - (sums.values() / counts.values()) ** 2))
    error = (spread / np.sqrt(counts.values() ** 2 / counts.variances()))SLICE
error = np.where(np.isfinite(error), error, 0)
content = np.where(np.isfinite(content), content, 0)
`;

function graphPoints({ points, ranges }: WrittenFit, className: string): string {
  const { half: [half] = [], above } = points.data;
  const has = /Errors$/.test(className);
  const sides = /Asymm|Bent/.test(className);
  const member = (name: string) => `np.array(g.member(${quotedText(name)}))`;
  const [ends] = ranges;
  const inside = ends ? `(x >= ${numberText(ends[0])}) & (x <= ${numberText(ends[1])})` : 'np.isfinite(x)';
  const lines = [`x, content = ${member('fX')}, ${member('fY')}`];
  const names = ['x', 'content', 'error'];
  const isKnown = has && !points.scaled;
  if (!isKnown) lines.push('error = np.ones_like(content)', `keep = ${inside}`);
  else {
    lines.push(
      sides ? `error, above = ${member('fEYlow')}, ${member('fEYhigh')}` : `error = ${member('fEY')}`,
    );
    const size = sides && above ? 'np.hypot(error, above)' : 'error';
    if (sides && above) names.push('above');
    if (half) {
      lines.push(
        sides ? `half = (${member('fEXlow')} + ${member('fEXhigh')}) / 2` : `half = ${member('fEX')}`,
      );
      names.push('half');
    }
    const counts =
      points.method === METHOD.effective && half ? `((${size} > 0) | (half > 0))` : `(${size} > 0)`;
    lines.push(`keep = ${inside} & ${counts}`);
  }
  lines.push(`${names.join(', ')} = (one[keep] for one in (${names.join(', ')}))`);
  return `${lines.join('\n')}\n`;
}

/** The function that is minimized, and those that it calls. */
function costOf(fit: WrittenFit): string {
  const { points, choice } = fit;
  const letters = points.data.x.length === 2 ? 'x, y' : 'x';
  const value = `f(${letters}, p)`;
  const mean = !choice.integral
    ? ''
    : letters === 'x'
      ? `nodes, parts = np.polynomial.legendre.leggauss(${NODES})


def mean(p):
    """The means of the function over the bins."""
    return sum(part / 2 * f(x + node * half_x, p) for node, part in zip(nodes, parts))


`
      : `nodes, parts = np.polynomial.legendre.leggauss(${NODES / 2})


def mean(p):
    """The means of the function over the bins."""
    return sum(
        part * other / 4 * f(x + node * half_x, y + across * half_y, p)
        for node, part in zip(nodes, parts)
        for across, other in zip(nodes, parts)
    )


`;
  const expected = choice.integral && points.method < METHOD.unbinned ? 'mean(p)' : value;
  switch (points.method) {
    case METHOD.pearson:
      return `${mean}
def cost(p):
    """Chi-square with the errors that the function expects."""
    expected = ${expected}
    return np.sum(np.where(expected > 0, (content - expected) ** 2 / np.where(expected > 0, expected, 1), 0))
`;
    case METHOD.effective:
      return effectiveCost(points.data.half?.[0] !== undefined, points.data.above !== undefined);
    case METHOD.poisson:
      return `${mean}
def cost(p, weight=1, counted=content > 0):
    """The negative logarithm of the likelihood of counts, over that of the contents themselves."""
    expected = np.maximum(${expected}, 0)
    logs = np.log(np.where(counted, np.abs(content), 1)) - np.log(np.maximum(expected, 1e-300))
    return np.sum(weight * (expected - content + np.where(counted, content * logs, 0)))
`;
    case METHOD.extended:
      return `nodes, parts = np.polynomial.legendre.leggauss(${NODES})
steps = np.linspace(low, high, ${STEPS + 1})
middles, half = (steps[1:] + steps[:-1]) / 2, (high - low) / ${2 * STEPS}


def cost(p):
    """The negative logarithm of the extended likelihood of the values."""
    whole = sum(part * half * np.sum(f(middles + node * half, p)) for node, part in zip(nodes, parts))
    return whole - np.sum(weights * np.log(np.maximum(${value}, 1e-300)))
`;
    default:
      return `${mean}
def cost(p):
    return np.sum(((content - ${expected}) / error) ** 2)
`;
  }
}

function effectiveCost(hasX: boolean, hasAbove: boolean): string {
  const slope = hasX
    ? `
def slope(p):
    """The derivative of the function, by Richardson's rule."""
    h = np.maximum(0.01 * half, 8e-8 * (np.abs(x) + 1e-8))
    far, near = f(x + h, p) - f(x - h, p), f(x + h / 2, p) - f(x - h / 2, p)
    return (8 * near - far) / (6 * h)


`
    : '\n';
  return `${slope}def cost(p):
    """Chi-square with the errors of both coordinates."""
    away = content - f(x, p)
    squares = ${hasAbove ? 'np.where(away < 0, above, error)' : 'error'} ** 2${hasX ? ' + (half * slope(p)) ** 2' : ''}
    return np.sum(np.where(squares > 0, away**2 / np.where(squares > 0, squares, 1), 0))
`;
}

/** Errors with the squares of the weights, as ROOT's "WL" has them. */
const WEIGHTED = `# The errors follow from the squares of the weights.
ratio = np.where(content != 0, error**2 / np.where(content != 0, content, 1), np.sum(error**2) / np.sum(content))
squared = Minuit(lambda p: cost(p, ratio, content != 0), m.values, name=m.parameters)
squared.errordef = Minuit.LIKELIHOOD
squared.errors = m.errors
squared.fixed = m.fixed
squared.limits = m.limits
squared.hesse()
free = [i for i, is_fixed in enumerate(m.fixed) if not is_fixed]
part = np.ix_(free, free)
once = np.array(m.covariance)[part]
covariance = once @ np.linalg.inv(np.array(squared.covariance)[part]) @ once
errors = np.zeros(len(m.values))
errors[free] = np.sqrt(np.diag(covariance))
`;

/** Lines that print the result. */
function endOf({ model, points, choice, options, settings }: WrittenFit): string {
  const isBinned = points.method < METHOD.unbinned;
  const free = settings.filter(({ fixed }) => !fixed).length;
  const scaled = points.scaled && isBinned && points.method !== METHOD.poisson && points.count > free;
  const chi2 = points.method === METHOD.poisson ? '2 * m.fval' : 'm.fval';
  return [
    ...(isBinned ? [`chi2, ndf = ${chi2}, len(content) - m.nfit`] : []),
    ...(scaled
      ? ['errors *= np.sqrt(chi2 / ndf)  # the data have no errors: these follow from their spread']
      : []),
    'print("valid" if m.valid else "not valid", "FCN", m.fval, "edm", m.fmin.edm, "calls", m.nfcn)',
    'for name, value, error_of in zip(m.parameters, m.values, errors):',
    '    print(name, value, "+-", error_of)',
    ...(isBinned ? ['print("chi2 / ndf", chi2, "/", ndf)'] : []),
    ...(choice.minos && choice.method !== 'weighted' ? ['m.minos()', 'print(m.merrors)'] : []),
    // The probability that iminuit is given is that of one standard deviation of each of both parameters.
    ...(options.contours ?? []).map(
      ([first, second]) =>
        `print(m.mncontour(${indexOf(model.names, first)}, ${indexOf(model.names, second)}, cl=1 - np.exp(-0.5), size=40))`,
    ),
    '',
  ].join('\n');
}

/** Without a limit of calls, iminuit begins again where a step had no value, as that of a correlation above 1. */
const migradLine = ({ maxCalls }: FitOptions): string =>
  maxCalls === undefined ? 'm.migrad()' : `m.migrad(ncall=${maxCalls}, iterate=1)`;
