import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ModelInput, ModelTensor, ModelVariable, TrainedModel } from '../../../api/models';
import { unsupported } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';
import { HELPER } from './helper-code';
import { tensorOf } from './tensors';

/** Longest time for an answer, in ms. The time limit of selectors is shorter. */
const LIMIT_MS = 600_000;

interface Opened {
  id: number;
  inputs: ModelVariable[];
  outputs: ModelVariable[];
}

type Reply = { value: unknown } | { error: string; missing: boolean };

/** A thread that evaluates models, for which this thread waits. */
class Helper {
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  readonly #port: MessagePort;

  constructor(places: readonly string[]) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const worker = new Worker(HELPER, {
      eval: true,
      workerData: { port: port2, signal: this.#signal, places },
      transferList: [port2],
    });
    worker.unref();
    port1.unref();
  }

  ask<T>(message: object, what: string): T {
    Atomics.store(this.#signal, 0, 0);
    this.#port.postMessage(message);
    Atomics.wait(this.#signal, 0, 0, LIMIT_MS);
    const reply = receiveMessageOnPort(this.#port)?.message as Reply | undefined;
    if (!reply) throw argumentError(`${what} did not answer.`);
    if ('value' in reply) return reply.value as T;
    if (reply.missing)
      throw unsupported(
        `A model needs onnxruntime-node or onnxruntime-web, ${reply.error === '' ? 'and neither is installed' : `which cannot be loaded (${reply.error.slice(0, 300)})`}.`,
        'Run "npm install onnxruntime-node" in the folder of the selector, or where the command is started.',
      );
    throw argumentError(`${what}: ${reply.error.slice(0, 500)}`);
  }
}

/** The thread of each folder of selectors, because each may have another onnxruntime. */
const helpers = new Map<string, Helper>();

/** Opens a model. `places` are files whose packages are looked at for onnxruntime. Throws ARGUMENT, UNSUPPORTED. */
export function openModel(bytes: Uint8Array, name: string, places: readonly string[]): TrainedModel {
  const key = places.join();
  const thread = helpers.get(key) ?? new Helper(places);
  helpers.set(key, thread);
  const what = `The model "${name}"`;
  const { id, inputs, outputs } = thread.ask<Opened>({ open: bytes }, `${what} cannot be opened`);
  return Object.freeze({
    inputs,
    outputs,
    run(given: Readonly<Record<string, ModelInput>>) {
      const names = Object.keys(Object(given) as object);
      const odd = names.find((one) => !inputs.some((input) => input.name === one));
      const known = inputs.map((one) => one.name);
      if (odd !== undefined)
        throw argumentError(
          `${what} has no input "${odd.slice(0, 100)}".`,
          didYouMean(similar(odd, known)) ?? `Its inputs are ${known.join(', ')}.`,
        );
      const missing = known.find((one) => !names.includes(one));
      if (missing !== undefined) throw argumentError(`${what} needs its input "${missing}".`);
      const tensors = inputs.map((input) => ({
        ...{ name: input.name, type: input.type },
        ...tensorOf(what, input, given[input.name] as ModelInput),
      }));
      return thread.ask<Record<string, ModelTensor>>({ run: id, inputs: tensors }, `${what} failed`);
    },
  });
}
