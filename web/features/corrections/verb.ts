import { unsupported } from '../../base/data-errors';
import { listOf, needed, optional, TEXT } from '../../base/shape';
import { verb } from '../../verbs/verb';
import { evaluateWords } from './work/ask';
import { correctionSetOf } from './work/correction-set';
import { type CorrectionsFound, correctionPlot, correctionsReport } from './work/corrections-report';
import { describeSet } from './work/describe';
import { textOf } from './work/open';
import { parseJson } from './work/parse-json';

export const corrections = verb({
  name: 'corrections',
  words: 'FILE [NAME] [VALUE…]',
  about: `Lists the corrections of a file of correctionlib (schema version 2, .json or .json.gz) with their inputs. With NAME it tells the
inputs of one: their types, categories and ranges. With a VALUE for each input, INPUT=VALUE, it evaluates the correction. One input may
be a list (pt=20,30,40) or a range of 1,000 points (pt=20:120, or pt=20:120:5 for 5 points), which --svg draws.`,
  examples: [
    ['muon_Z.json.gz', 'the corrections of a file'],
    ['muon_Z.json.gz NUM_TightID abseta=1.2 pt=35 scale_factors=nominal', 'the value of one'],
    ['muon_Z.json.gz NUM_TightID abseta=1.2 pt=15:120 scale_factors=nominal --svg sf.svg', 'a curve of it'],
  ],
  params: {
    file: needed(TEXT, 'FILE', 'A path or an address of a file of corrections, .json or .json.gz.'),
    name: optional(TEXT, 'NAME', 'The name of a correction.'),
    value: optional(listOf(TEXT), 'VALUE', 'Values of the inputs, as pt=35.'),
  },
  json: `{"file", "description", "corrections": [{"name", "kind", "version", "description", "inputs": [{"name", "type", "description",
"values", "others", "range", "flow"}, …], "output", "stack"}, …]}; kind: correction or compound, stack: the corrections that a
compound applies; values: the known categories, others: whether there is a value for other ones, range: the lowest and the highest edge. With VALUE "evaluated" in
place of "corrections": {"name", "inputs", "value"}, or for a list or range {"name", "inputs", "by", "points": [{"at", "value",
"error"}, …]}.`,
  exit: '1 where the correction has no value for one of the points.',
  async run({ file, name, value: words = [] }, call): Promise<CorrectionsFound> {
    const text = await textOf((await call.text(file)).bytes, file);
    const set = correctionSetOf(text, file);
    const { description } = set;
    if (name !== undefined && words.length > 0)
      return { file, description, evaluated: evaluateWords(set.get(name), words) };
    if (name !== undefined) set.get(name);
    const all = describeSet(set, parseJson(text, file));
    return {
      ...{ file, description },
      corrections: name === undefined ? all : all.filter((one) => one.name === name),
    };
  },
  report: correctionsReport,
  status: ({ evaluated }) => (evaluated?.points?.some(({ error }) => error !== undefined) ? 1 : 0),
  outputs: {
    svg: {
      about: 'draw the values of a list or range to OUT ("-" is stdout)',
      isPicture: true,
      async make(found) {
        const plot = correctionPlot(found);
        if (!plot)
          throw unsupported(
            'There is nothing to draw: no input is a range.',
            'Give a range to one input, as pt=20:120, and values to the others.',
          );
        return (await import('../../plot/svg')).plotSvg(plot);
      },
    },
  },
});
