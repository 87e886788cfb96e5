import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SourceSpec } from '../api/api';
import { toXylemError } from '../base/errors';
import { runKey } from '../plot/command';
import { type CommandViewer, viewerCommands } from './commands/viewer-commands';
import type { ContentsProps } from './contents/contents';
import { storedTitle } from './embed/stored-title';
import type { FileTabs } from './file-tabs';
import type { PaletteProps } from './palette';
import { BranchPlot, Panel, WholePanel } from './panel';
import { PanelBoundary } from './panels/panel-boundary';
import type { Places } from './part';
import { PlotView } from './plot/plot-view';
import { useTheme } from './plot/use-theme';
import type { StartPane } from './start-pane';
import { type PageState, readableUrl } from './state/address/url-state';
import { shownWidth } from './state/contents-state';
import type { Recent } from './state/recent/recent';
import { sourceName, type ViewerStore } from './state/viewer-state';
import type { TopBar } from './top-bar';
import { useFileDrop } from './widgets/drop';
import { ErrorPane } from './widgets/error-pane';
import { type FocusTarget, WantedFocus } from './widgets/focus';
import { lazy } from './widgets/lazy';
import { ProgressBar, Trouble } from './widgets/progress';
import type { StatusLineProps } from './widgets/status-line';

export interface ViewerProps {
  store: ViewerStore;
  /**
   * `app`: the viewer is the whole page. `embedded`: it stays in its element and shows less around the file. `plot`:
   * it shows only the drawing.
   */
  chrome: 'app' | 'embedded' | 'plot';
  /** Name of the viewer on a page with several. Default: the name of its file. */
  label?: string | undefined;
  /** Title above the drawing of a viewer that shows nothing else; empty for none. Default: the stored title. */
  heading?: string | null | undefined;
  /** Text at the bottom about privacy; empty for none. Default: that nothing leaves this machine. */
  privacy?: string | null | undefined;
  /** Offered on the empty page. */
  sampleUrl?: string | undefined;
  recent?: Recent | undefined;
  /** Address of the page, if the viewer is the whole page and there is a network. */
  base?: string | undefined;
  /** State in which the sample is first shown. */
  sampleState?: PageState | undefined;
  /** Returns the page's address for a state. Without it no links are offered. */
  addressOf?: ((state: PageState) => string) | undefined;
  /** Registers a function that receives the files with which the system opens the page. */
  launched?: ((onFiles: (files: readonly File[]) => void) => void) | undefined;
  around: Around;
}

/** The parts around a file. A page has them from the start; an element loads them when they are shown. */
export interface Around {
  TopBar: typeof TopBar;
  FileTabs: typeof FileTabs;
  StartPane: typeof StartPane;
}

// Loaded while a file is being opened, because the start page does not need them.
const Contents = lazy<ContentsProps>(() => import('./contents/aside').then((loaded) => loaded.Contents));
const StatusLine = lazy<StatusLineProps>(() =>
  import('./contents/aside').then((loaded) => loaded.StatusLine),
);
/** An open dialogue. Each opening creates a new object. */
interface Dialog {
  which: 'palette' | 'help';
  place: number;
}

const Palette = lazy<PaletteProps>(() => import('./dialogs').then((loaded) => loaded.Palette));
const Help = lazy<{ onClose(): void }>(() => import('./dialogs').then((loaded) => loaded.Help));
/** Notes of features on a list of files. */
const ListNote = lazy<Places['list']>(async () => (await import('./widgets/slot')).slot('list'), false, true);

/** Maximum number of files opened as tabs. More are opened as one list. */
const MAX_TABS = 20;

/**
 * The whole viewer in one root element. It uses nothing outside of it. The page around an element may fill slots and
 * style parts.
 */
export function Viewer(props: ViewerProps): JSX.Element {
  const { store, chrome, label, heading, privacy, sampleUrl, recent, base, addressOf } = props;
  const { TopBar, FileTabs, StartPane } = props.around;
  const root = useRef<HTMLDivElement>(null);
  const urlField = useRef<HTMLInputElement>(null);
  const theme = useTheme(store);
  const share = useSignal(40);

  // A page keeps open files; an element shows the file that it was given.
  const wanted = useSignal<FocusTarget>(null);
  const open = (source: SourceSpec, asked?: PageState) => {
    wanted.value = 'contents';
    // Documents of features end like this; their code is loaded for them only.
    if (chrome === 'app' && source.kind === 'url' && /\.json([?#]|$)/i.test(source.url)) {
      void openOther({ kind: 'url', url: source.url }).then(
        (isOther) => isOther || store.files.beside(source, asked),
      );
      return;
    }
    if (chrome === 'app') store.files.beside(source, asked);
    else void store.session.open(source, asked);
  };
  const openOther = async (from: { kind: 'file'; file: File } | { kind: 'url'; url: string }) => {
    const { openDocument } = await import('./documents');
    return await openDocument(store, from, document.baseURI);
  };
  const openUrl = (read: (base: string) => string, asked?: PageState) => {
    try {
      open({ kind: 'url', url: read(document.baseURI) }, asked);
    } catch (thrown) {
      wanted.value = 'contents';
      store.files.fail(toXylemError(thrown).toRecord());
    }
  };
  /** Opens the first file. A page adds the others as tabs, which are read when they are first shown. */
  const openFiles = async (files: readonly File[]): Promise<void> => {
    if (files.length > MAX_TABS) {
      const { namedApart } = await import('./state/chain-list');
      const parts = namedApart(files).map(({ blob, name }) => ({
        source: { kind: 'blob' as const, blob, name },
      }));
      open({ kind: 'chain', files: parts });
      return;
    }
    let shown = false;
    for (const file of files) {
      if (store.awaited.peek()?.(file)) continue;
      if (chrome === 'app' && file.name.endsWith('.json') && (await openOther({ kind: 'file', file })))
        continue;
      if (store.session.file.peek() !== null) {
        const { isShownBeside } = await import('./dropped');
        if (await isShownBeside(store, file)) continue;
      }
      const source: SourceSpec = { kind: 'blob', blob: file, name: file.name };
      if (!shown) open(source);
      else if (chrome === 'app') store.files.later(source);
      shown = true;
    }
  };
  const dialog = useSignal<Dialog | null>(null);
  const dialogs = useRef(0);
  const commanded: CommandViewer = {
    ...{ store, theme, isApp: chrome === 'app', addressOf },
    find: (selector) => root.current?.querySelector<HTMLElement>(selector),
    show: (which) => {
      dialog.value = { which, place: ++dialogs.current };
    },
  };
  // The close event of a dialogue comes later, possibly when the next one is already open.
  const hide = (closed: Dialog) => () => {
    if (dialog.peek() === closed) dialog.value = null;
  };
  const isDialogOpen = () =>
    dialog.peek() !== null && root.current?.querySelector('dialog.palette:not([open])') === null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isDialogOpen() || event.defaultPrevented) return;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    // A text field needs keys without Control itself.
    if (typing && !event.ctrlKey && !event.metaKey) return;
    runKey(viewerCommands, commanded, event);
  };
  // As a whole page the viewer handles every key; inside another page only those pressed within it.
  useEffect(() => {
    const target: EventTarget | null = chrome === 'app' ? document : root.current;
    const listen = (event: Event) => onKeyDown(event as KeyboardEvent);
    target?.addEventListener('keydown', listen);
    return () => target?.removeEventListener('keydown', listen);
  });
  useEffect(() => props.launched?.((files) => void openFiles(files)), []);
  const dragging = useFileDrop(root, chrome === 'app', (dropped) => void openFiles(dropped));

  const file = store.session.file.value;
  const opening = store.session.opening.value;
  const error = store.session.openError.value;
  const opened = file !== null || opening !== null;
  useEffect(() => {
    if (!opened) return;
    PlotView.warm();
    BranchPlot.warm();
    if (chrome === 'plot') return;
    Contents.warm();
    WholePanel.warm();
    Palette.warm();
  }, [opened, chrome]);
  // An address that cannot be opened is corrected where it was typed.
  useEffect(() => {
    if (error === null || wanted.peek() === null) return;
    wanted.value = null;
    urlField.current?.focus();
  }, [error]);
  // A page has one main element. Inside another page it belongs to that page.
  const Main = chrome === 'app' ? 'main' : 'div';
  const Root = chrome === 'app' ? 'div' : 'section';
  const source = file?.source ?? opening;
  const name = label || (source === null ? 'a ROOT file' : sourceName(source));
  const bar =
    chrome === 'app' || (chrome === 'embedded' && file === null && opening === null && error === null);
  return (
    <WantedFocus.Provider value={wanted}>
      <Root
        class={`xylem ${chrome === 'plot' ? 'embedded only-plot' : chrome}`}
        aria-label={chrome === 'app' ? undefined : `Viewer of ${name}`}
        data-theme={theme}
        ref={root}
        part="viewer"
      >
        {bar && (
          <TopBar
            store={store}
            urlField={urlField}
            onUrl={openUrl}
            onFiles={(chosen) => void openFiles(chosen)}
            addressOf={chrome === 'app' ? addressOf : undefined}
            onFind={() => commanded.show('palette')}
            onHelp={() => commanded.show('help')}
          />
        )}
        {(chrome === 'app' || (chrome === 'embedded' && store.files.list.value.length > 1)) && (
          <FileTabs store={store} />
        )}
        {error !== null ? (
          <Main class="whole" part="error">
            <slot name="error">
              <ErrorPane error={error} onRetry={opening === null ? undefined : () => store.session.retry()}>
                {error.where?.url !== undefined &&
                  error.where.instead?.map((address) => (
                    <button
                      type="button"
                      key={address}
                      onClick={() => void store.session.open({ kind: 'url', url: address })}
                    >
                      Open by https
                    </button>
                  ))}
                <button type="button" onClick={() => store.files.closeShown()}>
                  Open something else
                </button>
              </ErrorPane>
            </slot>
          </Main>
        ) : file !== null ? (
          <div class="panes">
            <div
              class="split"
              data-contents={shownWidth(store.contents)}
              style={{ '--share': `${share.value}%` }}
            >
              {chrome !== 'plot' && (
                <Contents
                  store={store}
                  name={name}
                  onFind={chrome === 'app' ? undefined : () => commanded.show('palette')}
                  share={share}
                />
              )}
              <Main class="detail" part="detail">
                {chrome === 'plot' && <Heading store={store} heading={heading} />}
                <Detail store={store} theme={theme} alone={chrome === 'plot'} />
              </Main>
            </div>
          </div>
        ) : opening !== null ? (
          <Main class="whole">
            <div class="opening">
              <p>Opening {sourceName(opening)}</p>
              <ProgressBar store={store} />
              <Trouble store={store} />
            </div>
          </Main>
        ) : (
          <Main class="whole" part="empty">
            <slot name="empty">
              <StartPane
                place={chrome === 'app' ? 'anywhere on this page' : 'here'}
                sampleUrl={sampleUrl}
                onSample={() =>
                  sampleUrl !== undefined &&
                  openUrl((base) => readableUrl(sampleUrl, base), props.sampleState)
                }
                onFiles={(chosen) => void openFiles(chosen)}
                recent={recent}
                base={base}
                onUrl={(url) => openUrl((base) => readableUrl(url, base))}
                onPaste={bar ? () => urlField.current?.focus() : undefined}
              />
            </slot>
          </Main>
        )}
        {(file !== null || store.jobs.list.value.length > 0) && chrome !== 'plot' && (
          <StatusLine store={store} privacy={privacy} />
        )}
        {dialog.value?.which === 'palette' && (
          <Palette key={dialog.value.place} viewer={commanded} onClose={hide(dialog.value)} />
        )}
        {dialog.value?.which === 'help' && <Help key={dialog.value.place} onClose={hide(dialog.value)} />}
        {dragging && (
          <div class="drop">
            <p>Drop files to open them</p>
          </div>
        )}
      </Root>
    </WantedFocus.Provider>
  );
}

/** The title above the drawing of a viewer that shows nothing else; see `ViewerProps`. */
function Heading({
  store,
  heading,
}: {
  store: ViewerStore;
  heading: ViewerProps['heading'];
}): JSX.Element | null {
  const text = heading ?? storedTitle(store);
  return text === '' ? null : <p class="plot-heading">{text}</p>;
}

interface DetailProps {
  store: ViewerStore;
  theme: 'light' | 'dark';
  /** Shows only the plot of a branch. */
  alone: boolean;
}

function Detail({ store, theme, alone }: DetailProps): JSX.Element | null {
  const open = store.session.file.value;
  const selection = store.selection.chosen.value;
  if (open === null || selection === null) return null;
  const place = `${open.info.id} ${store.selection.node.value} ${store.selection.view.value}`;
  return (
    <PanelBoundary store={store} place={place}>
      {open.chain !== undefined && <ListNote store={store} open={open} />}
      <Panel store={store} open={open} selection={selection} theme={theme} alone={alone} />
    </PanelBoundary>
  );
}
