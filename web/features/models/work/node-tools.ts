import type { ModelTools, TrainedModel } from '../../../api/models';
import { argumentError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';
import { openModel } from './node-models';

/** A file that a selector declares. */
interface Declared {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Returns the functions for a selector that declares these files, by their names. `module` is its address. Each model is opened once. */
export function modelTools(files: Readonly<Record<string, Declared>>, module: string): ModelTools {
  const known = new Map<Declared, TrainedModel>();
  return {
    model(file) {
      const text = String(file);
      const names = Object.keys(files);
      const one =
        (Object.hasOwn(files, text) ? files[text] : undefined) ??
        Object.values(files).find(({ name }) => name === text);
      if (!one)
        throw argumentError(
          `The selector declares no file "${text.slice(0, 200)}".`,
          didYouMean(similar(text, names)) ??
            "Declare it: files: { dnn: 'dnn.onnx' }, and write job.model('dnn').",
        );
      const found = known.get(one) ?? openModel(one.bytes, one.name, placesOf(module));
      known.set(one, found);
      return found;
    },
  };
}

/** The files beside which onnxruntime is looked for: the selector, the folder of the process, xylem. */
function placesOf(module: string): string[] {
  const places = [`${process.cwd()}/package.json`, import.meta.url];
  return module.startsWith('file:') || module.startsWith('/') ? [module, ...places] : places;
}
