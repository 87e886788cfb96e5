/**
 * The code of the thread that evaluates models. It is a text, because the thread needs no file of its own: the thread of the selector
 * waits for each answer, so that selectors stay synchronous while onnxruntime is not.
 */
export const HELPER = `
const { workerData: { port, signal, places } } = require('node:worker_threads');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const sessions = [];
let loaded;
async function load() {
  const failed = [];
  for (const name of ['onnxruntime-node', 'onnxruntime-web'])
    for (const place of places) {
      let path;
      try {
        path = createRequire(place).resolve(name);
      } catch {
        continue;
      }
      try {
        const found = await import(pathToFileURL(path));
        const ort = found.InferenceSession ? found : found.default;
        if (ort.env) ort.env.logLevel = 'error';
        if (ort.env && ort.env.wasm) ort.env.wasm.numThreads = 1;
        return ort;
      } catch (thrown) {
        failed.push(name + ': ' + (thrown && thrown.message || thrown));
      }
    }
  throw Object.assign(new Error(failed.join('; ')), { missing: true });
}
const variables = (names, metadata) => names.map((name, i) => {
  const found = metadata && metadata[i] || {};
  return { name, type: found.type || '', shape: (found.shape || []).map((one) => typeof one === 'number' ? one : -1) };
});
const plain = ({ data, dims }) => ({ data, shape: [...dims].map(Number) });
async function answer({ open, run, inputs }) {
  const ort = await (loaded = loaded || load());
  if (open) {
    const session = await ort.InferenceSession.create(open, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 });
    sessions.push(session);
    return { id: sessions.length - 1, inputs: variables(session.inputNames, session.inputMetadata), outputs: variables(session.outputNames, session.outputMetadata) };
  }
  const feeds = {};
  for (const { name, type, data, shape } of inputs) feeds[name] = new ort.Tensor(type, data, shape);
  const found = await sessions[run].run(feeds);
  return Object.fromEntries(Object.entries(found).map(([name, tensor]) => [name, plain(tensor)]));
}
port.on('message', async (message) => {
  let reply;
  try {
    reply = { value: await answer(message) };
  } catch (thrown) {
    reply = { error: String(thrown instanceof Error ? thrown.message : thrown), missing: Boolean(thrown && thrown.missing) };
  }
  port.postMessage(reply);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});
`;
