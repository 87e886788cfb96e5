import { cppText } from '../../../../base/literal';
import { CONSTANTS } from '../../../../query/language/formula-text';
import { chainOf } from '../../../../query/language/names';
import { type Expr, parseExpression } from '../../../../query/language/parser';
import { checkForRoot, treeDrawFilling } from '../../../snippets/work/programs-own';
import { Untranslated } from '../../../snippets/work/translate/translate';
import { METHOD } from '../fit-core';
import type { Model } from '../formula/model';
import { shapeNamed } from '../formula/shapes';
import { indexOf, isSolved } from '../task';
import type { FitChoice } from '../types';
import { cppFunction } from './cpp';
import { numberText } from './number-text';
import type { WrittenFit, WrittenTogether } from './program';

/** A program for ROOT in C++, which runs at its prompt, and in a macro. Throws Untranslated. */
export function rootProgram(fit: WrittenFit): string {
  const { points, options } = fit;
  const isUnbinned = points.method >= METHOD.unbinned;
  const { text, name } = isUnbinned ? valuesOf(fit) : readingOf(fit);
  const { strategy, tolerance, maxCalls } = options;
  const defaults = [
    'SetDefaultMinimizer("Minuit2")',
    ...(strategy === undefined ? [] : [`SetDefaultStrategy(${strategy})`]),
    ...(tolerance === undefined ? [] : [`SetDefaultTolerance(${numberText(tolerance)})`]),
    ...(maxCalls === undefined ? [] : [`SetDefaultMaxFunctionCalls(${maxCalls})`]),
  ];
  return `${text}
${defaults.map((one) => `ROOT::Math::MinimizerOptions::${one};\n`).join('')}${functionOf(fit)}${isUnbinned ? unbinnedFit(fit) : binnedFit(fit, name)}${contoursOf(fit)}`;
}

/** A program of a simultaneous fit: the sum of the objectives of all parts. Throws Untranslated. */
export function rootTogether({ parts, names, settings, from, use }: WrittenTogether): string {
  const [first] = parts as [WrittenFit];
  const { choice, options } = first;
  if (choice.method === 'weighted' || choice.withoutX)
    throw new Untranslated('Weighted bins and EX0 are not written for a simultaneous fit of ROOT.');
  const filled = use ? treeDrawFilling(use) : { text: '', names: [] };
  const isNll = choice.method === 'likelihood';
  const flags = [
    choice.integral && 'fIntegral',
    (isNll || choice.method === 'pearson') && 'fUseEmpty',
    choice.method === 'pearson' && 'fExpErrors',
    choice.ones !== 'none' && 'fErrors1',
    choice.ones === 'all' && 'fUseEmpty',
  ].filter(Boolean);
  const blocks = parts.map((part, k) => {
    const n = k + 1;
    const { source, model, points } = part;
    const ends = points.range.flat().map(numberText);
    const what = isOfRoot(model) ? cppText(model.text.trim()) : cppFunction(model);
    const dims = points.data.x.length;
    const own = isOfRoot(model) ? '' : `, ${model.names.length}`;
    const reading =
      source.kind === 'stored'
        ? `std::unique_ptr<TFile> file${n}(TFile::Open(${cppText(source.address)}));\nauto data${n} = file${n}->Get<${readable(source.className)}>(${cppText(source.path)});\n`
        : `auto data${n} = ${filled.names[k]};\n`;
    return `${reading}auto f${n} = new TF${dims}("f${n}", ${what}, ${ends.join(', ')}${own});
ROOT::Fit::BinData points${n}(options, ROOT::Fit::DataRange(${ends.join(', ')}));
ROOT::Fit::FillData(points${n}, data${n}, f${n});
ROOT::Math::WrappedMultiTF1 w${n}(*f${n}, ${dims});
ROOT::Fit::${isNll ? 'PoissonLLFunction' : 'Chi2Function'} part${n}(points${n}, w${n});
`;
  });
  const set = settings.flatMap(({ low, high, fixed, step }, i) => {
    const one = `fitter.Config().ParSettings(${i})`;
    const lines = [`${one}.SetName(${cppText(names[i] ?? '')});\n`];
    if (fixed) return [...lines, `${one}.Fix();\n`];
    lines.push(`${one}.SetStepSize(${numberText(step)});\n`);
    if (low !== undefined && high !== undefined)
      return [...lines, `${one}.SetLimits(${numberText(low)}, ${numberText(high)});\n`];
    if (low !== undefined) return [...lines, `${one}.SetLowerLimit(${numberText(low)});\n`];
    return high === undefined ? lines : [...lines, `${one}.SetUpperLimit(${numberText(high)});\n`];
  });
  const sum = from.map((_, k) => `part${k + 1}(p${k + 1})`).join(' + ');
  const lists = from.map(
    (own, k) => `   const double p${k + 1}[] = {${own.map((i) => `p[${i}]`).join(', ')}};\n`,
  );
  const minimizer = 'fitter.Config().MinimizerOptions()';
  // In braces, because a lambda expression at the top of a macro captures nothing.
  return `{
${filled.text}ROOT::Fit::DataOptions options;
${[...new Set(flags)].map((flag) => `options.${flag} = true;\n`).join('')}${blocks.join('')}auto sum = [&](const double *p) {
${lists.join('')}   return ${sum};
};
ROOT::Math::Functor total(sum, ${names.length});
const double start[] = {${settings.map(({ value }) => numberText(value)).join(', ')}};
ROOT::Fit::Fitter fitter;
fitter.Config().SetMinimizer("Minuit2");
fitter.Config().SetParamsSettings(${names.length}, start);
${set.join('')}${minimizer}.SetErrorDef(${isNll ? 0.5 : 1});
${minimizer}.SetTolerance(${numberText(options.tolerance ?? 0.01)});
${options.strategy === undefined ? '' : `${minimizer}.SetStrategy(${options.strategy});\n`}${choice.minos ? 'fitter.Config().SetMinosErrors();\n' : ''}fitter.FitFCN(total);
auto result = &fitter.Result();
result->Print(std::cout);
}
`;
}

/** Throws Untranslated for a class that is not fitted. */
function readable(className: string): string {
  if (/^(TH[12]|TProfile$|TGraph)/.test(className)) return className;
  throw new Untranslated(`A program for ROOT does not read a ${className}.`);
}

/** Lines that fill or read. The name is that of a pointer to the histogram or graph. */
function readingOf({ source }: WrittenFit): { text: string; name: string } {
  if (source.kind === 'drawn') return { text: treeDrawFilling(source.use).text, name: 'h' };
  const { address, path, className } = source;
  readable(className);
  const name = className.startsWith('TGraph') ? 'g' : 'h';
  return {
    text: `std::unique_ptr<TFile> file(TFile::Open(${cppText(address)}));\nauto ${name} = file->Get<${className}>(${cppText(path)});\n`,
    name,
  };
}

/** Lines that read values into `values`. */
function valuesOf({ source, points }: WrittenFit): { text: string; name: string } {
  const layer = source.kind === 'drawn' ? source.use.layers[0] : undefined;
  if (layer?.tree === undefined) throw new Untranslated('A stored object has no values.');
  const { address, tree, expr, cut } = layer;
  if (tree.kind === 'RNTuple') throw new Untranslated('TTree::Draw reads no RNTuple.');
  checkForRoot(tree, layer);
  const [[low, high] = [0, 0]] = points.range;
  const weights = points.data.y !== undefined;
  return {
    text: `std::unique_ptr<TFile> file(TFile::Open(${cppText(address)}));
auto tree = file->Get<TTree>(${cppText(tree.path)});
// Memory for all values: lists have more of them than the tree has entries.
tree->SetEstimate(tree->Draw(${cppText(expr)}, ${cppText(cut)}, "goff") + 1);
auto numberOfRows = tree->Draw(${cppText(expr)}, ${cppText(cut)}, "goff");
ROOT::Fit::UnBinData values(ROOT::Fit::DataRange(${numberText(low)}, ${numberText(high)}), numberOfRows, 1, ${weights});
for (Long64_t i = 0; i < numberOfRows; ++i)
   if (tree->GetV1()[i] >= ${numberText(low)} && tree->GetV1()[i] <= ${numberText(high)}) values.Add(tree->GetV1()[i]${weights ? ', tree->GetW()[i]' : ''});
`,
    name: 'values',
  };
}

/** Lines that define `f`, with start values and limits. */
function functionOf({ model, settings, points }: WrittenFit): string {
  const dims = points.data.x.length;
  const ends = points.range.flat().map(numberText).join(', ');
  const isPlain = isOfRoot(model);
  const what = isPlain ? cppText(model.text.trim()) : cppFunction(model);
  const names = isPlain ? [] : model.names.map((name, i) => `f->SetParName(${i}, ${cppText(name)});\n`);
  const set = settings.map(({ value, low, high, fixed }, i) => {
    if (fixed) return `f->FixParameter(${i}, ${numberText(value)});\n`;
    const limits =
      low === undefined && high === undefined
        ? ''
        : `f->SetParLimits(${i}, ${endText(low, '-')}, ${endText(high, '')});\n`;
    return `f->SetParameter(${i}, ${numberText(value)});\n${limits}`;
  });
  return `auto f = new TF${dims}("f", ${what}, ${ends}${isPlain ? '' : `, ${model.names.length}`});
${names.join('')}${set.join('')}`;
}

const endText = (value: number | undefined, sign: string): string =>
  value === undefined ? `${sign}TMath::Infinity()` : numberText(value);

/** The letters of ROOT that change the result. */
export function lettersOf({ method, integral, ones, minos, withoutX, minuit }: FitChoice): string {
  const methods = { chi2: '', likelihood: 'L', weighted: 'WL', pearson: 'P' };
  const weights = { none: '', filled: 'W', all: 'WW' };
  return [methods[method], weights[ones], integral && 'I', minos && 'E', withoutX && 'EX0', minuit && 'F']
    .filter(Boolean)
    .join(' ');
}

function binnedFit(fit: WrittenFit, name: string): string {
  const { model, ranges, points } = fit;
  const dims = points.data.x.length;
  // "B": the start values and limits of the function hold for shapes, too. With it a polynomial is not solved.
  const letters = [lettersOf(fit.choice), 'S', !isSolved(fit) && 'B', dims > 1 && ranges.length > 0 && 'R']
    .filter(Boolean)
    .join(' ');
  const [first] = ranges;
  const range = dims === 1 && first ? `, "", ${first.map(numberText).join(', ')}` : '';
  const own = dims > 1 && ranges.length > 0 ? rangeOf2(ranges) : '';
  return `${own}auto result = ${name}->Fit(f, ${cppText(letters)}${range});
result->Print();
${model.names.length > 1 ? 'result->PrintCovMatrix(std::cout);\n' : ''}`;
}

function rangeOf2(ranges: WrittenFit['ranges']): string {
  const [x, y] = ranges;
  if (!x || !y) throw new Untranslated('ROOT takes ranges of both axes.');
  return `f->SetRange(${[x[0], y[0], x[1], y[1]].map(numberText).join(', ')});\n`;
}

function unbinnedFit({ settings, choice, points }: WrittenFit): string {
  const lines = settings.flatMap(({ low, high, fixed }, i) => {
    const one = `fitter.Config().ParSettings(${i})`;
    if (fixed) return [`${one}.Fix();\n`];
    if (low !== undefined && high !== undefined)
      return [`${one}.SetLimits(${numberText(low)}, ${numberText(high)});\n`];
    if (low !== undefined) return [`${one}.SetLowerLimit(${numberText(low)});\n`];
    return high === undefined ? [] : [`${one}.SetUpperLimit(${numberText(high)});\n`];
  });
  const weighted =
    points.data.y === undefined
      ? ''
      : '// Without this, ROOT leaves out the weights. It has no errors of such a fit: they are NaN.\nfitter.Config().SetWeightCorrection(true);\n';
  return `ROOT::Fit::Fitter fitter;
fitter.SetFunction(ROOT::Math::WrappedMultiTF1(*f, 1), false);
${weighted}${lines.join('')}${choice.minos ? 'fitter.Config().SetMinosErrors();\n' : ''}fitter.LikelihoodFit(values, true);
auto result = &fitter.Result();
result->Print(std::cout);
`;
}

/** Lines that compute contours, with the minimizer of the fit. */
function contoursOf({ model, options, points }: WrittenFit): string {
  const { contours = [] } = options;
  if (contours.length === 0) return '';
  if (points.method >= METHOD.unbinned)
    return contours
      .map(([first, second], k) => {
        const [i, j] = [indexOf(model.names, first), indexOf(model.names, second)];
        return `unsigned n${k + 1} = 40;
double x${k + 1}[40], y${k + 1}[40];
fitter.GetMinimizer()->Contour(${i}, ${j}, n${k + 1}, x${k + 1}, y${k + 1});
`;
      })
      .join('');
  return contours
    .map(([first, second], k) => {
      const [i, j] = [indexOf(model.names, first), indexOf(model.names, second)];
      return `auto contour${k + 1} = new TGraph(41);
// The probability is that of one standard deviation of each of both parameters.
result->Contour(${i}, ${j}, contour${k + 1}, 1 - std::exp(-0.5));
`;
    })
    .join('');
}

/** Shapes that TFormula has. */
const SHAPES = /^(gausn?|expo|landaun?|pol\d|cheb\d+|breitwigner|crystalball|xygaus|bigaus)$/;
/** Functions without a namespace that TFormula has, and that mean the same there. */
const PLAIN = new Set(
  'abs fabs sqrt exp log log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh pow fmod floor ceil erf erfc tgamma'.split(
    ' ',
  ),
);

/** Whether TFormula reads the text as xylem does. */
function isOfRoot({ text }: Model): boolean {
  if (!/^[\x20-\x7e]*$/.test(text)) return false;
  return isKnown(parseExpression(text, { parameters: true }));
}

function isKnown(expr: Expr): boolean {
  switch (expr.kind) {
    case 'number':
      return true;
    case 'unary':
      return isKnown(expr.operand);
    case 'binary': {
      const { first, operations } = chainOf(expr);
      const isPlain = operations.every(({ op }) => !/^(mod|bit|shift)/.test(op));
      return isPlain && isKnown(first) && operations.every(({ right }) => isKnown(right));
    }
    case 'ternary':
      return [expr.condition, expr.yes, expr.no].every(isKnown);
    case 'call': {
      const { name, args } = expr;
      const isShape = shapeNamed(name) !== undefined;
      const isFunction = PLAIN.has(name) || /^(TMath|ROOT::Math)::\w+$/.test(name);
      return (isShape ? SHAPES.test(name) : isFunction) && args.every(isKnown);
    }
    case 'path': {
      const [first, second] = expr.segments;
      if (!first || second || first.args) return false;
      const { name, subscripts } = first;
      if (name.startsWith('[')) return subscripts.length === 0;
      if (shapeNamed(name)) return SHAPES.test(name);
      return /^([xyz]|pi)$/.test(name) || Object.hasOwn(CONSTANTS, name);
    }
    default:
      return false;
  }
}
