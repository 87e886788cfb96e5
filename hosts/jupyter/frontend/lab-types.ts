import type { Contents, Server } from './server-file';

/** The types of JupyterLab 4 and Lumino that are used here. */

interface Signal<T> {
  connect(slot: (sender: unknown, value: T) => void): void;
}

export interface Widget {
  node: HTMLElement;
  disposed: Signal<void>;
  title: { icon: unknown };
  hide(): void;
}

export interface Context {
  path: string;
  ready: Promise<void>;
  pathChanged: Signal<string>;
}

export interface DocumentWidget extends Widget {
  content: Widget;
  toolbar: Widget;
  context: Context;
}

export interface FileType {
  name: string;
  displayName: string;
  extensions: string[];
  mimeTypes: string[];
  contentType: 'file';
  fileFormat: null;
  icon: unknown;
}

export interface App {
  docRegistry: {
    addFileType(type: FileType): void;
    addModelFactory(factory: object): void;
    addWidgetFactory(factory: object): void;
  };
  serviceManager: {
    contents: Contents;
    serverSettings: Server;
  };
}

export interface LayoutRestorer {
  restore(tracker: object, options: object): Promise<void>;
}

/** Values of a workspace, which JupyterLab keeps with its layout. */
export interface StateDB {
  fetch(id: string): Promise<unknown>;
  save(id: string, value: Record<string, unknown>): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Exports of the modules that JupyterLab shares: see `MODULES`. */
export interface LabParts {
  ILayoutRestorer: object;
  IStateDB: object;
  WidgetTracker: new (options: {
    namespace: string;
  }) => {
    add(widget: Widget): Promise<void>;
    save(widget: Widget): Promise<void>;
  };
  ABCWidgetFactory: new (options: object) => { widgetCreated: Signal<DocumentWidget> };
  Base64ModelFactory: new (collaborative?: boolean) => object;
  DocumentWidget: new (options: { content: Widget; context: Context }) => DocumentWidget;
  LabIcon: new (options: { name: string; svgstr: string }) => object;
  Widget: new (options?: { node: HTMLElement }) => Widget;
}

export const MODULES = [
  '@jupyterlab/application',
  '@jupyterlab/apputils',
  '@jupyterlab/docregistry',
  '@jupyterlab/statedb',
  '@jupyterlab/ui-components',
  '@lumino/widgets',
] as const;
