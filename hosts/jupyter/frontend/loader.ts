// Loads the viewer over the channel of the widget, once for all widgets of a page. A saved notebook holds only this script.
import type * as Element from '../../../web/element/one-file';
import type { WidgetModel } from './channel';
import type * as Widget from './widget';

const PATIENCE_MS = 30_000;

interface Context {
  model: WidgetModel;
  el: HTMLElement;
}
type Render = (context: Context) => () => void;

/** Asks the kernel for a part of the viewer, and returns the address of its text. */
function part(model: WidgetModel, name: string): Promise<string> {
  const id = `part ${name} ${Math.random()}`;
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      model.off('msg:custom', hear);
    };
    const fail = (message: string) => {
      end();
      reject(new Error(message));
    };
    const hear = (message: { id?: unknown; error?: string }, [buffer]: BlobPart[]) => {
      if (message.id !== id) return;
      if (message.error !== undefined || buffer === undefined) return fail(message.error ?? 'It is empty.');
      end();
      const bytes = new Blob([buffer]).stream().pipeThrough(new DecompressionStream('gzip'));
      const text = new Response(bytes, { headers: { 'content-type': 'text/javascript' } }).blob();
      resolve(text.then((blob) => URL.createObjectURL(blob)));
    };
    const timer = setTimeout(() => fail('The kernel does not answer.'), PATIENCE_MS);
    model.on('msg:custom', hear);
    model.send({ kind: 'part', id, name });
  });
}

async function load(model: WidgetModel): Promise<Render> {
  const get = async (name: string): Promise<unknown> => {
    const address = await part(model, name);
    return import(/* @vite-ignore */ address);
  };
  const [element, widget] = await Promise.all([get('element.js.gz'), get('widget.js.gz')]);
  return (context) => (widget as typeof Widget).render(context, element as typeof Element);
}

const LOADED = Symbol.for('xylem widget');

/** The loaded viewers, by their build. If the kernel did not answer, the next widget tries again. */
function loaded(): Map<unknown, Promise<Render>> {
  const page = globalThis as { [LOADED]?: Map<unknown, Promise<Render>> };
  page[LOADED] ??= new Map();
  return page[LOADED];
}

function viewer(model: WidgetModel): Promise<Render> {
  const version = model.get('_parts');
  let render = loaded().get(version);
  if (render === undefined) {
    render = load(model);
    loaded().set(version, render);
    render.catch(() => loaded().delete(version));
  }
  return render;
}

// biome-ignore lint/style/noDefaultExport: as anywidget wants it
export default {
  async render(context: Context): Promise<(() => void) | undefined> {
    const { model, el } = context;
    el.textContent = 'Loading the viewer…';
    try {
      const render = await viewer(model);
      el.textContent = '';
      return render(context);
    } catch (error) {
      el.textContent = `The viewer could not be loaded: ${(error as Error).message} Run the cell again when the kernel is there.`;
      return undefined;
    }
  },
};
