import type * as Element from '../../../web/element/one-file';
import { Channel, KernelError, type KernelFile, kernelSource, type WidgetModel } from './channel';
import { followTheme } from './look';
import { createPicture } from './picture';
import { sendHistogram } from './plot';
import { type ThroughServer, throughServer } from './through-server';

type Viewer = Element.XylemViewer;
type File = KernelFile | { url: string; name: string };

/** ms without another event before a table or a picture is sent. */
const REST_MS = 400;

/** All views of one widget share it. */
interface Shared {
  channel: Channel;
  files: Exclude<Element.XylemFile, Blob | ArrayBuffer>[] | string;
}
const shared = new WeakMap<WidgetModel, Shared>();
let writes = false;

/** Draws the viewer into an output; returns what removes it. */
export function render(
  { model, el }: { model: WidgetModel; el: HTMLElement },
  element: typeof Element,
): () => void {
  const { channel, files } = sharedOf(model, element);
  const viewer = document.createElement('xylem-viewer') as Viewer;
  viewer.privacy = privacyOf(files);
  void isServed(files).then((served) => {
    if (served) viewer.privacy = 'The Jupyter server sends the parts that are looked at';
  });
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
  if (typeof files === 'string') viewer.src = files;
  else viewer.file = (files.length === 1 ? files[0] : files) as Element.XylemFile;

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
  const files =
    given.length === 1 && first !== undefined && 'url' in first
      ? first.url
      : given.map((file, index) => {
          if ('url' in file) return file.url;
          const source = kernelSource(channel, index, file, fail);
          return file.placed ? throughServer(source, channel, index) : source;
        });
  const made: Shared = { channel, files: files as Shared['files'] };
  shared.set(model, made);
  if (!writes) {
    writes = true;
    // The script of the element has all others.
    element.giveModules(() => textOf(channel, 'write.txt.gz'));
  }
  return made;
}

async function textOf(channel: Channel, name: string): Promise<string> {
  const bytes = await channel.ask({ kind: 'part', name });
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

function privacyOf(files: Shared['files']): string {
  return typeof files === 'string'
    ? 'This page reads the file itself'
    : 'The kernel reads the file: only what is shown comes to this page';
}

/** Whether the server of the notebook has all files. */
async function isServed(files: Shared['files']): Promise<boolean> {
  if (typeof files === 'string') return false;
  const found = await Promise.all(files.map((file) => (file as Partial<ThroughServer>).found));
  return found.every((one) => one === true);
}

/** Sets the attributes of what is shown first. */
function show(viewer: Viewer, state: Record<string, string>): void {
  for (const [name, value] of Object.entries(state)) viewer.setAttribute(name, value);
}

/** The rows of the table, as an Arrow file. */
async function sendRows(
  channel: Channel,
  element: typeof Element,
  files: Shared['files'],
  { path, columns, from, to }: Element.RowsDetail,
): Promise<void> {
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

/** Calls when nothing came for this long; failures are shown by the viewer itself. */
function rested<T>(ms: number, call: (value: T) => Promise<void>): (value: T) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => void call(value).catch(() => {}), ms);
  };
}

/** As JSON has it: 64-bit integers become numbers. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));
}

/** SHA-256 of frame.js.gz's text; the build puts it here. */
declare const FRAME_SHA256: string;
