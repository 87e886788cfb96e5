// The extension of JupyterLab: a file type for *.root, which the viewer opens without a kernel.

import picture from '../../../public/icon.svg?raw';
import type { ViewerState, XylemViewer } from '../../../web/element/one-file';
import { type Container, type ShareScope, sharedModule } from './federation';
import {
  type App,
  type Context,
  type DocumentWidget,
  type LabParts,
  type LayoutRestorer,
  MODULES,
  type StateDB,
} from './lab-types';
import { followTheme } from './look';
import { serverFile } from './server-file';

const NAME = 'ROOT file';
const MODEL = 'xylem-parts';

/** The folder of this script, in which the element lies. */
const folder = new URL('.', (document.currentScript as HTMLScriptElement).src).href;
let scope: ShareScope = {};

const container: Container = {
  init(given) {
    scope = given;
  },
  async get(name) {
    if (name !== './extension') throw new Error(`xylem has no module ${name}.`);
    const parts = await Promise.all(MODULES.map((module) => sharedModule<object>(scope, module)));
    const lab = Object.assign({}, ...parts.map((module) => ({ ...module }))) as LabParts;
    const plugin = {
      id: 'xylem:files',
      description: 'Opens CERN ROOT files.',
      autoStart: true,
      optional: [lab.ILayoutRestorer, lab.IStateDB],
      activate: (app: App, restorer: LayoutRestorer | null, kept: StateDB | null) =>
        activate(app, restorer, kept, lab),
    };
    return () => ({ __esModule: true, default: plugin });
  },
};

const page = globalThis as { _JUPYTERLAB?: Record<string, Container> };
page._JUPYTERLAB = { ...page._JUPYTERLAB, xylem: container };

function activate(app: App, restorer: LayoutRestorer | null, kept: StateDB | null, lab: LabParts): void {
  const { LabIcon, WidgetTracker } = lab;
  const icon = new LabIcon({ name: 'xylem:root', svgstr: picture });
  const { docRegistry } = app;
  docRegistry.addFileType({
    ...{ name: 'xylem-root', displayName: NAME, extensions: ['.root'], mimeTypes: ['application/x-root'] },
    ...{ contentType: 'file', fileFormat: null },
    icon,
  });
  docRegistry.addModelFactory(modelFactory(lab));
  const factory = widgetFactory(app, kept, lab, icon);
  docRegistry.addWidgetFactory(factory);
  const tracker = new WidgetTracker({ namespace: 'xylem' });
  factory.widgetCreated.connect((_, widget) => {
    // The layout names it by its path.
    widget.context.pathChanged.connect(() => void tracker.save(widget));
    void tracker.add(widget);
  });
  void restorer?.restore(tracker, {
    command: 'docmanager:open',
    args: ({ context }: DocumentWidget) => ({ path: context.path, factory: NAME }),
    name: ({ context }: DocumentWidget) => context.path,
  });
}

/** A model without a format. For all other models JupyterLab loads the whole file. */
function modelFactory({ Base64ModelFactory }: LabParts): object {
  return new (class extends Base64ModelFactory {
    get name(): string {
      return MODEL;
    }
    get fileFormat(): null {
      return null;
    }
  })(false);
}

function widgetFactory(
  app: App,
  kept: StateDB | null,
  { ABCWidgetFactory, DocumentWidget, Widget }: LabParts,
  icon: object,
) {
  class Factory extends ABCWidgetFactory {
    createNewWidget(context: Context): DocumentWidget {
      const content = new Widget({ node: document.createElement('div') });
      content.title.icon = icon;
      content.node.style.overflow = 'hidden';
      const end = show(app, kept, context, content.node);
      content.disposed.connect(end);
      const made = new DocumentWidget({ content, context });
      // It has no buttons.
      made.toolbar.hide();
      return made;
    }
  }
  return new Factory({
    ...{ name: NAME, modelName: MODEL, readOnly: true },
    ...{ fileTypes: ['xylem-root'], defaultFor: ['xylem-root'] },
  });
}

/** Returns the key of a document's state among the values of the workspace. */
const shownKey = (path: string): string => `xylem-shown:${path}`;

/** Shows the file of a document as it was shown when the page was left. Returns a function that ends this. */
function show(app: App, kept: StateDB | null, context: Context, place: HTMLElement): () => void {
  let end = () => {};
  let ended = false;
  const say = (message: string, ...more: HTMLElement[]): void => {
    const text = document.createElement('p');
    text.setAttribute('role', 'alert');
    text.style.cssText = 'margin: 1rem; color: var(--jp-content-font-color1)';
    text.textContent = message;
    place.replaceChildren(text, ...more);
  };
  const fail = (error: Error): void => say(error.message);
  const ask = (why: string): Promise<void> =>
    new Promise((wanted) => {
      const button = document.createElement('button');
      button.className = 'jp-Button jp-mod-styled jp-mod-accept';
      button.style.margin = '0 1rem';
      button.textContent = 'Read all of it';
      button.onclick = () => {
        place.replaceChildren();
        wanted();
      };
      say(why, button);
    });
  const start = async () => {
    await import(/* @vite-ignore */ `${folder}element/xylem-viewer.js`);
    // JupyterLab itself reports a missing file.
    await context.ready;
    let key = shownKey(context.path);
    const before = ((await kept?.fetch(key).catch(() => undefined)) ?? {}) as ViewerState;
    if (ended) return;
    const viewer = document.createElement('xylem-viewer') as XylemViewer;
    viewer.style.cssText = 'display: block; height: 100%';
    const leave = followTheme(viewer, () => 'auto');
    const forget = () => kept?.remove(key).catch(() => {});
    const open = async (state: ViewerState) => {
      const { contents, serverSettings } = app.serviceManager;
      const { source, headers, privacy } = await serverFile(contents, context.path, serverSettings, ask);
      Object.assign(viewer, { headers, privacy });
      if (ended) return;
      if (!viewer.isConnected) place.append(viewer);
      // The viewer itself reports a file that cannot be opened.
      viewer.open(source, state).catch(() => {});
    };
    viewer.addEventListener('xylem-state', ({ detail: { src: _src, ...state } }) => {
      kept?.save(key, state).catch(() => {});
    });
    context.pathChanged.connect((_, path) => {
      const { src: _src, ...state } = viewer.save();
      forget();
      key = shownKey(path);
      kept?.save(key, state).catch(() => {});
      open(state).catch(fail);
    });
    end = () => {
      leave();
      viewer.remove();
      forget();
    };
    // Leaving the page keeps the state; closing the document removes it.
    await open(before);
  };
  start().catch(fail);
  return () => {
    ended = true;
    end();
  };
}
