import type * as Element from '../../../web/element/one-file';
import { Channel, KernelError, type KernelFile, kernelSource, type WidgetModel } from './channel';
import { followTheme } from './look';
import { createPicture } from './picture';
import { sendHistogram } from './plot';
import { type ThroughServer, throughServer } from './through-server';

type Viewer = Element.XylemViewer;
/** A file of the widget. `url` is null if the address may have a secret: the kernel sends it, because traits are saved. */
type File = KernelFile | { url: string | null; name: string };

/** ms without another event before a table or a picture is sent. */
const REST_MS = 400;

/** All views of one widget share it. */
interface Shared {
  channel: Channel;
  files: Files | Promise<Files>;
}
type OneFile = Exclude<Element.XylemFile, Blob | ArrayBuffer>;
type Files = OneFile[] | string;
const shared = new WeakMap<WidgetModel, Shared>();
let writes = false;

/** Draws the viewer into an output. Returns a function that removes it. */
export function render(
  { model, el }: { model: WidgetModel; el: HTMLElement },
  element: typeof Element,
): () => void {
  const { channel, files } = sharedOf(model, element);
  const viewer = document.createElement('xylem-viewer') as Viewer;
  viewer.jsroot = { script: () => textOf(channel, 'frame.js.gz'), sha256: FRAME_SHA256 };
  const leave = followTheme(viewer, () => String(model.get('theme')));
  const size = () => {
    viewer.style.height = `${Number(model.get('height'))}px`;
  };
  size();
  const told = (name: string, value: unknown) => {
    model.set(name, value);
    model.save_changes();
  };
  show(viewer, model.get('state') as Record<string, string>);
  const open = (found: Files): void => {
    viewer.privacy = privacyOf(found);
    void isServed(found).then((served) => {
      if (served) viewer.privacy = 'The Jupyter server sends the parts that are looked at';
    });
    if (typeof found === 'string') viewer.src = found;
    else viewer.file = (found.length === 1 ? found[0] : found) as Element.XylemFile;
  };
  if (files instanceof Promise) {
    viewer.privacy = 'The kernel has the address, which is not saved: run the cell again if nothing is shown';
    void files.then(open);
  } else open(files);

  let state = JSON.stringify(model.get('state'));
  viewer.addEventListener('xylem-state', ({ detail }) => {
    const { src: _src, ...rest } = detail;
    const next = JSON.stringify(rest);
    if (next === state) return;
    state = next;
    told('state', rest);
  });
  const changed = () => {
    const wanted = model.get('state') as Record<string, string>;
    if (JSON.stringify(wanted) === state) return;
    state = JSON.stringify(wanted);
    viewer.restore(wanted).catch(() => {});
  };
  viewer.addEventListener('xylem-select', ({ detail }) => told('selection', detail));
  viewer.addEventListener('xylem-error', ({ detail }) => told('error', plain(detail)));
  viewer.addEventListener('xylem-open', () => told('error', {}));
  const picture = createPicture(viewer, el, channel);
  const came = () => told('_results', Number(model.get('_results')) + 1);
  viewer.addEventListener('xylem-plot', ({ detail }) => {
    sendHistogram(channel, detail);
    came();
    picture.renew();
  });
  const rows = rested(REST_MS, (detail: Element.RowsDetail) =>
    sendRows(channel, element, files, detail).then(came),
  );
  viewer.addEventListener('xylem-rows', ({ detail }) => {
    told('selection', { ...detail });
    rows(detail);
  });
  viewer.addEventListener('xylem-report', ({ detail }) => {
    channel.tell({ kind: 'report', report: detail });
    came();
  });
  model.on('change:state', changed);
  model.on('change:height', size);
  el.append(viewer);
  return () => {
    model.off('change:state', changed);
    model.off('change:height', size);
    leave();
    picture.end();
    viewer.remove();
  };
}

function sharedOf(model: WidgetModel, element: typeof Element): Shared {
  const known = shared.get(model);
  if (known !== undefined) return known;
  const channel = new Channel(model);
  const given = model.get('_files') as File[];
  const [first] = given;
  const fail = (error: unknown, offset: number, length: number): Error =>
    error instanceof KernelError
      ? new element.XylemError({
          ...{ code: error.code, message: error.message, where: { offset, length } },
          ...(error.fix !== undefined && { fix: error.fix }),
        })
      : (error as Error);
  const placed = (url: (index: number) => string): Files =>
    given.length === 1 && first !== undefined && 'url' in first
      ? url(0)
      : (given.map((file, index) => {
          if ('url' in file) return url(index);
          const source = kernelSource(channel, index, file, fail);
          return file.placed ? throughServer(source, channel, index) : source;
        }) as Files);
  const urls = given.map((file) => ('url' in file ? file.url : ''));
  const files = urls.includes(null)
    ? addressesOf(channel, urls).then(
        (all) => placed((index) => all[index] ?? ''),
        (error) => [failed(given[0]?.name ?? '', fail(error, 0, 0))],
      )
    : placed((index) => urls[index] ?? '');
  const made: Shared = { channel, files };
  shared.set(model, made);
  if (!writes) {
    writes = true;
    // The script of the element has all other modules.
    element.giveModules((file) =>
      textOf(channel, file.endsWith('.woff') ? `fonts/${file}.gz` : 'write.txt.gz'),
    );
  }
  return made;
}

/** Asks the kernel for the addresses that no trait has. */
function addressesOf(channel: Channel, urls: readonly (string | null)[]): Promise<string[]> {
  return Promise.all(
    urls.map(async (url, file) =>
      url === null ? new TextDecoder().decode(await channel.ask({ kind: 'address', file })) : url,
    ),
  );
}

/** Returns a file of which all reads fail. */
function failed(name: string, error: Error): OneFile {
  return {
    name,
    concurrency: 1,
    info: () => ({ size: undefined, validator: undefined }),
    read: () => Promise.reject(error),
  };
}

async function textOf(channel: Channel, name: string): Promise<string> {
  const bytes = await channel.ask({ kind: 'part', name });
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

function privacyOf(files: Files): string {
  return typeof files === 'string'
    ? 'This page reads the file itself'
    : 'The kernel reads the file: only what is shown comes to this page';
}

/** Whether the server of the notebook has all files. */
async function isServed(files: Files): Promise<boolean> {
  if (typeof files === 'string') return false;
  const found = await Promise.all(files.map((file) => (file as Partial<ThroughServer>).found));
  return found.every((one) => one === true);
}

/** Sets the attributes of what is shown first. */
function show(viewer: Viewer, state: Record<string, string>): void {
  for (const [name, value] of Object.entries(state)) viewer.setAttribute(name, value);
}

/** Returns the rows of the table as an Arrow file. */
async function sendRows(
  channel: Channel,
  element: typeof Element,
  found: Shared['files'],
  { path, columns, from, to }: Element.RowsDetail,
): Promise<void> {
  const files = await found;
  const source = (typeof files === 'string' || files.length > 1 ? files : files[0]) as
    | Element.XylemFile
    | string;
  const file = await element.openRoot(source);
  try {
    const tree = await file.tree(path);
    const parts: BlobPart[] = [];
    for await (const part of tree.export({ format: 'arrow', branches: [...columns], entries: [from, to] }))
      parts.push(part as Uint8Array<ArrayBuffer>);
    channel.tell({ kind: 'table' }, [await new Blob(parts).arrayBuffer()]);
  } finally {
    await file.close();
  }
}

/** Calls a function when no event came for this many ms. The viewer itself shows failures. */
function rested<T>(ms: number, call: (value: T) => Promise<void>): (value: T) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => void call(value).catch(() => {}), ms);
  };
}

/** Returns a value for JSON: 64-bit integers become numbers. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
}

/** SHA-256 of frame.js.gz's text; the build puts it here. */
declare const FRAME_SHA256: string;
