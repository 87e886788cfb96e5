import { dirname, isAbsolute, join } from 'node:path';
import type { Sample } from '../api/selector';
import { argumentError } from '../base/errors';
import { type Json, listOf, recordOf } from '../measure/json';
import { needsWhole, sampleFrom } from '../measure/sample';
import type { Context } from './context';
import { type Input, inputsOf } from './inputs';
import { readNamed } from './read-file';
import { isUrl, type SourceOptions } from './targets';

export interface SampleList {
  samples: Sample[];
  inputs: SampleInput[];
}

export interface SampleInput extends Input {
  sample: string;
}

/** Reads a list of samples. Paths are relative to its folder. Throws ARGUMENT, NOT_FOUND and IO. */
export async function readSamples(
  path: string,
  tree: string,
  given: SourceOptions,
  context: Context,
): Promise<SampleList> {
  const wrong = (why: string): never => {
    throw argumentError(
      `"${path}" is not a list of samples: ${why}.`,
      'Write {"samples": [{"name": "dy", "files": ["dy*.root"], "crossSection": 6077}, …]}: see docs/features/selectors.md.',
      { path },
    );
  };
  await context.files.addInput(path);
  const list = listOf(recordOf(parsed((await readNamed(path)).toString()))?.samples, (json) => json);
  if (!list || list.length === 0) return wrong('it has no "samples"');
  const samples: Sample[] = [];
  const inputs = new Map<string, SampleInput>();
  for (const { files, ...json } of list) {
    const sample = sampleFrom(json);
    if (typeof sample === 'string') return wrong(sample);
    const { name } = sample;
    if (samples.some((other) => other.name === name)) return wrong(`"${name}" occurs twice`);
    samples.push(sample);
    for (const target of targetsOf(files) ?? wrong(`"files" of "${name}" is a text or a list of texts`)) {
      for (const input of await inputsOf(placed(target, dirname(path)), tree, given, context)) {
        const key = keyOf(input);
        const other = inputs.get(key);
        if (other) return wrong(`${input.file} is in "${other.sample}" and in "${name}"`);
        inputs.set(key, { ...input, sample: name });
      }
    }
  }
  return { samples, inputs: [...inputs.values()] };
}

/** The inputs with their samples. Throws ARGUMENT for one that is in none. */
export function withSamples(chosen: readonly Input[], { inputs }: SampleList, path: string): SampleInput[] {
  const known = new Map(inputs.map((input) => [keyOf(input), input.sample]));
  return chosen.map((input) => {
    const sample = known.get(keyOf(input));
    if (sample !== undefined) return { ...input, sample };
    throw argumentError(`${input.file} is in no sample of "${path}".`, 'Add it to the files of its sample.', {
      path,
    });
  });
}

/** The inputs with their samples, all of these where none was chosen; those that must not be cut are whole. */
export async function sampledInputs(
  chosen: readonly Input[],
  path: string,
  tree: string,
  given: SourceOptions,
  context: Context,
): Promise<(Input & { sample: Sample; whole: boolean })[]> {
  const list = await readSamples(path, tree, given, context);
  const inputs = chosen.length > 0 ? withSamples(chosen, list, path) : list.inputs;
  const sampleOf = (name: string): Sample => list.samples.find((one) => one.name === name) ?? { name };
  return inputs.map(({ sample: name, ...input }) => {
    const sample = sampleOf(name);
    return { ...input, sample, whole: needsWhole(sample) };
  });
}

function keyOf({ file, tree }: Input): string {
  return JSON.stringify([file, tree]);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function targetsOf(files: unknown): string[] | undefined {
  const list = typeof files === 'string' ? [files] : files;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** A name of a list as the folder of the list sees it. */
function placed(target: string, folder: string): string {
  const [at, name] = target.startsWith('@') ? ['@', target.slice(1)] : ['', target];
  return isUrl(name) || isAbsolute(name) ? target : at + join(folder, name);
}
