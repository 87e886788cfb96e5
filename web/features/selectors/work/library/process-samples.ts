import type { CallOptions, ChainPart } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { ProcessRequest, ProcessResult, Sample } from '../../../../api/selector';
import { throwIfAborted } from '../../../../base/abort';
import { eachOf } from '../../../../base/each-of';
import { argumentError, toXylemError } from '../../../../base/errors';
import { nameOfSource, type OneSource } from '../../../../library/sources';
import type { ProcessedTree, ProcessOptions, TreePlace } from '../../../../library/tree-handle';
import type { Json } from '../../../../measure/json';
import { sampleFrom } from '../../../../measure/sample';
import { noLuminosity } from '../../../../measure/sample-scale';
import { Failures } from '../../../../pass/failures';
import { addCounts } from '../branches';
import { addProcess, emptyProcess, readProcess } from '../partial/process-sum';
import { type SampleSum, scaledSamples, stackedState } from '../partial/samples';
import { resultsOf } from './process-results';

/** Files that are read at once: each has several tasks under way. */
const JOBS = 4;

type Sources = ReturnType<TreePlace['sources']>;
type Options = CallOptions & Required<Pick<ProcessOptions, 'samples'>> & Pick<ProcessOptions, 'luminosity'>;

/** Runs a selector on the files of samples, one by one, as `xylem process --samples` does. Throws ARGUMENT for a file that is in none. */
export async function processSamples(
  { sources, reader }: { sources: Sources; reader: EngineApi },
  { tree, friends, entries, rootVersion = '6.42', set = {}, module, limitMs }: ProcessRequest,
  { samples: choices, luminosity, signal, onProgress }: Options,
): Promise<ProcessedTree<Record<string, unknown>>> {
  if (entries || friends)
    throw argumentError(
      'Samples are read as whole files, without friends.',
      'Leave out entries and friends.',
    );
  const samples = choices?.map(({ files: _, ...one }) => sampleOf(one)) ?? [];
  if (luminosity === undefined && samples.some(({ crossSection }) => crossSection !== undefined))
    throw noLuminosity();
  const inputs = inputsOf(sources, choices ?? []);
  const query = { set, samples, rootVersion };
  const sum = emptyProcess();
  const note = new Failures();
  note.expect(inputs.length);
  let done = 0;
  await eachOf(inputs, JOBS, signal, async ({ part, file, sample }) => {
    try {
      const info = await reader.open(part.source, { signal });
      try {
        const selector = { module, limitMs };
        const input = { reader, info, tree: part.tree ?? tree, file, sample, selector };
        addProcess(sum, (await readProcess(query, input, { signal })).sum);
      } finally {
        await reader.close(info.id);
      }
    } catch (thrown) {
      const error = toXylemError(thrown).at({ url: file }).toRecord();
      const message = error.message.includes(file) ? error.message : `${file}: ${error.message}`;
      note.addErrors([{ ...error, message }]);
    }
    done += 1;
    onProgress?.({
      ...{ label: `${done} of ${inputs.length} files`, bytesDone: 0, bytesTotal: 0 },
      ...{ entriesDone: done, entriesTotal: inputs.length },
    });
  });
  throwIfAborted(signal);
  note.throwIfAll();
  const scaled = scaledSamples(samples, sum.samples, luminosity);
  return {
    results: resultsOf({ state: stackedState(scaled), entries: sum.entries }),
    ...{ entries: sum.entries, passed: sum.passed, partial: note.toNote() },
    ...optionalOf(sum.samples.values()),
    samples: Object.fromEntries(
      scaled.map(({ sample: { name }, state, ...one }) => [
        name,
        { ...one, results: resultsOf({ state, entries: one.entries }) },
      ]),
    ),
  };
}

function optionalOf(samples: Iterable<SampleSum>): Pick<ProcessResult, 'optional'> {
  let optional: ProcessResult['optional'];
  for (const one of samples) optional = addCounts(optional, one.optional);
  return optional ? { optional } : {};
}

function sampleOf(choice: Sample): Sample {
  const sample = sampleFrom(choice as unknown as Json);
  if (typeof sample === 'string')
    throw argumentError(`A sample is wrong: ${sample}.`, 'See docs/features/selectors.md.');
  return sample;
}

/** The files with their samples. Throws ARGUMENT where a file is in none or in two, or is not open. */
function inputsOf(
  sources: Sources,
  choices: NonNullable<ProcessOptions['samples']>,
): { part: ChainPart; file: string; sample: string }[] {
  const left = new Set(sources);
  const inputs = choices.flatMap(({ name, files }, i) => {
    if (choices.findIndex((other) => other.name === name) !== i)
      throw argumentError(`The sample "${name}" occurs twice.`);
    return (Array.isArray(files) ? (files as OneSource[]) : [files as OneSource]).map((file) => {
      const found = [...left].find(({ given }) => given === file || textOf(given) === textOf(file));
      if (!found) {
        throw argumentError(
          `A file of the sample "${name}" is in another one, too, or is not open: ${textOf(file)}.`,
          'Name each of the files that openRoot was given once, as it was given.',
        );
      }
      left.delete(found);
      return { part: found.part, file: nameOfSource(found.part.source), sample: name };
    });
  });
  const [other] = left;
  if (other)
    throw argumentError(
      `${nameOfSource(other.part.source)} is in no sample.`,
      'Add it to the files of its sample.',
    );
  return inputs;
}

/** A source as it was written; an object is equal to itself alone. */
function textOf(source: unknown): unknown {
  return typeof source === 'string' || source instanceof URL ? String(source) : source;
}
