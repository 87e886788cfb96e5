// The extension of JupyterLab: a file type for *.root, which the viewer opens without a kernel.

import picture from '../../../public/icon.svg?raw';
import type { XylemViewer } from '../../../web/element/one-file';
import { type Container, type ShareScope, sharedModule } from './federation';
import {
  type App,
  type Context,
  type DocumentWidget,
  type LabParts,
  type LayoutRestorer,
  MODULES,
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
      optional: [lab.ILayoutRestorer],
      activate: (app: App, restorer: LayoutRestorer | null) => activate(app, restorer, lab),
    };
    return () => ({ __esModule: true, default: plugin });
  },
};

const page = globalThis as { _JUPYTERLAB?: Record<string, Container> };
page._JUPYTERLAB = { ...page._JUPYTERLAB, xylem: container };

function activate(app: App, restorer: LayoutRestorer | null, lab: LabParts): void {
  const { LabIcon, WidgetTracker } = lab;
  const icon = new LabIcon({ name: 'xylem:root', svgstr: picture });
  const { docRegistry } = app;
  docRegistry.addFileType({
    ...{ name: 'xylem-root', displayName: NAME, extensions: ['.root'], mimeTypes: ['application/x-root'] },
    ...{ contentType: 'file', fileFormat: null },
    icon,
  });
  docRegistry.addModelFactory(modelFactory(lab));
  const factory = widgetFactory(app, lab, icon);
  docRegistry.addWidgetFactory(factory);
  const tracker = new WidgetTracker({ namespace: 'xylem' });
  factory.widgetCreated.connect((_, widget) => void tracker.add(widget));
  void restorer?.restore(tracker, {
    command: 'docmanager:open',
    args: ({ context }: DocumentWidget) => ({ path: context.path, factory: NAME }),
    name: ({ context }: DocumentWidget) => context.path,
  });
}

/** A model without a format: for all others JupyterLab loads the whole file. */
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

function widgetFactory(app: App, { ABCWidgetFactory, DocumentWidget, Widget }: LabParts, icon: object) {
  class Factory extends ABCWidgetFactory {
    createNewWidget(context: Context): DocumentWidget {
      const content = new Widget({ node: document.createElement('div') });
      content.title.icon = icon;
      content.node.style.overflow = 'hidden';
      const end = show(app, context, content.node);
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

/** Shows the file of a document; returns what ends that. */
function show(app: App, context: Context, place: HTMLElement): () => void {
  let end = () => {};
  let ended = false;
  const fail = (error: Error): void => {
    const text = document.createElement('p');
    text.setAttribute('role', 'alert');
    text.style.cssText = 'margin: 1rem; color: var(--jp-content-font-color1)';
    text.textContent = error.message;
    place.replaceChildren(text);
  };
  const start = async () => {
    await import(/* @vite-ignore */ `${folder}element/xylem-viewer.js`);
    // A file that is not there is said by JupyterLab.
    await context.ready;
    if (ended) return;
    const viewer = document.createElement('xylem-viewer') as XylemViewer;
    viewer.style.cssText = 'display: block; height: 100%';
    const leave = followTheme(viewer, () => 'auto');
    const open = async () => {
      const { src: _src, ...state } = viewer.save();
      const { contents, serverSettings } = app.serviceManager;
      const { source, headers, privacy } = await serverFile(contents, context.path, serverSettings);
      Object.assign(viewer, { headers, privacy });
      if (!viewer.isConnected) place.append(viewer);
      // The viewer says itself what cannot be opened.
      viewer.open(source, state).catch(() => {});
    };
    context.pathChanged.connect(() => void open().catch(fail));
    end = () => {
      leave();
      viewer.remove();
    };
    await open();
  };
  start().catch(fail);
  return () => {
    ended = true;
    end();
  };
}
