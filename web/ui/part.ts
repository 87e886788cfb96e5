import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Ref } from 'preact';
import type { Host } from '../../workers/host';
import type { Histogram, KeyInfo, PlainObject, TreeInfo } from '../api/api';
import type { FileUse } from '../api/reading';
import type { WriteApi } from '../api/write';
import type { Command, KeyedCommand } from '../plot/command';
import type { PlotFrame } from '../plot/drawing/frame';
import type { AnyPlot } from '../plot/model';
import type { CommandViewer } from './commands/viewer-commands';
import type { Marked } from './contents/marked';
import type { ChangePlot, DrawnLayer, OwnPlot } from './plot/own-plot';
import type { HealChoice } from './save/heal-choice';
import type { OpenFile, ViewerStore } from './state/viewer-state';
import type { NamedView } from './state/views';
import type { ViewProps } from './view-tabs';

type Component<Props> = (props: Props) => JSX.Element | null;

/** A view in a list: its tab, and how its code is loaded when it is shown. */
export interface ListedView extends NamedView {
  load: () => Promise<Component<ViewProps>>;
}

/** The places of the page where features show something, with what they are told there. */
export interface Places {
  /** Before a file is open, and where another file is chosen. `base` is the address of the page. */
  start: {
    base: string;
    onUrl(url: string): void;
    /** Address of the shown file, which is not offered beside itself. */
    without?: string | undefined;
  };
  /** In the bar at the top of a whole page. */
  bar: { store: ViewerStore; base: string };
  /** Above the panel of an item of a list of files. */
  list: { store: ViewerStore; open: OpenFile };
  /** Above the facts of a file. `isDamaged`: damage was found when it was opened. */
  overview: { store: ViewerStore; open: OpenFile; isDamaged: boolean };
  /** Below the facts of a file or a directory: `directory` is its key, -1 for the top of the file. */
  folder: { store: ViewerStore; open: OpenFile; theme: 'light' | 'dark'; directory: number };
  /** Below the map, for a place of the file that is outlined. `onPlace` outlines what lies at another one. */
  bytes: {
    store: ViewerStore;
    open: OpenFile;
    offset: number;
    length: number;
    onPlace(offset: number): void;
  };
  /** Buttons for plots that are marked in the contents. */
  marked: { store: ViewerStore; items: readonly Marked[] };
  /** Buttons for a wall of plots that are drawn from a tree: their expressions. */
  wall: { store: ViewerStore; plots: readonly string[] };
  /** Below the query bar, while it is edited. */
  query: ViewerPlace & { open: OpenFile; tree: TreeInfo; expr: string; cut: string };
  /** Below a plot, which it may change. */
  plot: {
    store: ViewerStore;
    /** The plot without changes. */
    shown: AnyPlot;
    /** Where its numbers come from; undefined while they are being read. */
    own: OwnPlot | undefined;
    /** The tree for completing names. */
    tree?: TreeInfo | undefined;
    /** The plot that is drawn, with layers or as it was computed, without what is added to it. */
    drawn: AnyPlot;
    /** A histogram that is drawn instead of that of the plot, because it was computed of it. */
    made?: Histogram | undefined;
    /** Why nothing that can be drawn was computed of the plot, although something was asked for: a sentence. */
    why?: string | undefined;
    /** The layers that are drawn, the plot itself among them; undefined without others. */
    layers?: readonly DrawnLayer[] | undefined;
    /** Whether layers are being read, or something is being computed of the plot. */
    reading?: boolean | undefined;
    /** Receives how the plot is changed. */
    onChange: ChangePlot;
  };
  /** Buttons above a plot whose look the viewer keeps. `frame` has the places of its axes. */
  tools: { store: ViewerStore; frame: PlotFrame };
  /** On such a plot, over its drawing. `shown` is the plot as it is drawn. */
  over: { store: ViewerStore; frame: PlotFrame; shown: AnyPlot };
  /** On one of several linked plots, of one axis of numbers. Its counts change while a selection is dragged. */
  linked: {
    store: ViewerStore;
    title: string;
    axis: { bins: number; low: number; high: number };
    /** Counts of the selected values, with under- and overflow. */
    counts: ReadonlySignal<Float64Array | undefined>;
    /** The range that is selected on the plot itself; undefined for all of it. */
    range: ReadonlySignal<readonly [low: number, high: number] | undefined>;
    frame: ReadonlySignal<PlotFrame | undefined>;
    /** The function that is fitted to it, which the link has; empty for none. */
    fit: string;
    onFit(fit: string): void;
  };
  /** Where there is no plot, for the reason `why`. */
  'no-plot': { store: ViewerStore; why: string };
  /** Below the statistics of a histogram that was filled from a tree. */
  histogram: {
    store: ViewerStore;
    histogram: Histogram;
    tree: TreeInfo | undefined;
    expr: string;
    cut: string;
    branch?: string | undefined;
    profile?: boolean | undefined;
    /** The layers of the plot, itself among them; undefined without others. */
    layers?: readonly DrawnLayer[] | undefined;
  };
  /** A format in which branches, or expressions of them, are saved. Its name is `format`. */
  export: ViewerPlace & ExportChoice & { format: string };
  /** Below the findings of the doctor. `repaired` returns names of findings that a choice repairs, and of those that it leaves. */
  heal: ViewProps & {
    writer: WriteApi;
    choice: Signal<HealChoice>;
    /** The heading, as a target for scrolling. */
    heading: Ref<HTMLHeadingElement>;
    repaired: (choice: HealChoice) => Readonly<Record<'repaired' | 'left', string>>;
  };
  /** A way to show a stored object, besides those of the page. `isDrawing`: the class is a drawing, not data. */
  object: {
    store: ViewerStore;
    object: PlainObject;
    name: string;
    isDrawing: boolean;
    theme: 'light' | 'dark';
  };
  /** The drawing of a canvas or of an object of canvases. `tabs` choose how the object is shown. */
  picture: { store: ViewerStore; object: PlainObject; tabs: JSX.Element; others: readonly OtherWay[] };
}

export type Place = keyof Places;

interface ViewerPlace {
  store: ViewerStore;
  keyInfo: KeyInfo;
}

/** The part of a tree that is saved. */
export interface ExportChoice {
  tree: TreeInfo;
  /** Indices of the branches, with all entries. */
  branches: readonly number[];
  /** Instead of branches: expressions, for the entries that pass the cut. */
  query?: { columns: string; cut: string } | undefined;
}

/** Another way to show an object, which can be chosen. */
export interface OtherWay {
  label: string;
  choose(): void;
}

/** A component of a feature for a place. */
export interface PageItem<Props> {
  /** Its name, where one of several is chosen. */
  label?: string;
  /** Whether an object is shown so unless another way is chosen. Default: false. */
  isFirst?: boolean;
  /** Position among the items of its place. Default: 0. */
  order?: number;
  /** Whether it has something to show. Default: it has. */
  when?: (props: Props) => boolean;
  load: () => Promise<Component<Props>>;
}

/** Dropped files that are not opened, because a feature shows what is in them beside the open file. */
export interface DroppedFiles {
  when?: (file: File) => boolean;
  /** Returns a function that shows a file, and returns false if it is of another kind. */
  load: () => Promise<(store: ViewerStore, file: File) => Promise<boolean>>;
}

/** Where a document comes from: a file of the user's machine, an address, or a text in the address of the page. */
export type DocumentFrom =
  | { kind: 'file'; file: File }
  | { kind: 'url'; url: string }
  | { kind: 'text'; text: string };

/** JSON files of a feature that are opened like ROOT files: by dropping, by a dialog, by the system, or by an address. */
export interface Documents {
  /** End of their names. */
  ending: `.${string}.json`;
  /** Name of the parameter of the page's address that names one (`?NAME=URL`) or holds one (`#NAME=TEXT`). */
  parameter: string;
  /** Loads what opens one. It throws if it is not one. */
  load: () => Promise<(store: ViewerStore, from: DocumentFrom, base: string) => Promise<void>>;
}

/** Takes what the address of the page has after "#NAME=", and returns what the host of the page has besides. */
export type TakenFragment = (value: string, page: Pick<Host, 'storage'>) => Promise<Partial<Host>>;

export type SelectorOf = (
  store: ViewerStore,
  open: OpenFile,
  tree: NonNullable<ViewProps['tree']>,
  signal?: AbortSignal,
) => Promise<NonNullable<FileUse['selector']>>;

/** A feature's entry for the page. */
export interface PagePart {
  /** Its views, by their ids in the address. */
  views?: Readonly<Record<string, ListedView>>;
  /** Its components for places of the page, each under a name. */
  slots?: { readonly [P in Place]?: Readonly<Record<string, PageItem<Places[P]>>> };
  /** Its commands in the list of all commands. */
  commands?: readonly Command<CommandViewer>[];
  /** Its commands with keys, by the place that listens. The help lists them. */
  keys?: Readonly<Record<string, () => Promise<readonly KeyedCommand<never>[]>>>;
  drops?: DroppedFiles;
  documents?: Documents;
  /** Loads what returns the branches and the cut of the selector that the page holds for a tree. Throws ARGUMENT for none. */
  selector?: () => Promise<SelectorOf>;
  /** Parts of the page's address after "#" that it takes before the page starts its workers, by their names. */
  fragments?: Readonly<Record<string, () => Promise<TakenFragment>>>;
}
