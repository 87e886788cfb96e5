// Needs features: layers, map, walls.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type KeyedCommand, keysText, LETTERS, labelOf, runKey } from '../../web/plot/command';
import { commandsOf, keyedCommands, keysOfFeatures } from '../../web/ui/all-commands';
import { type ContentsList, contentsCommands } from '../../web/ui/commands/contents-commands';
import { type GridCursor, gridCommands } from '../../web/ui/commands/grid-commands';
import { type CommandViewer, viewerCommands } from '../../web/ui/commands/viewer-commands';
import { createViewerStore } from '../../web/ui/state/store';
import { createMockReader } from '../mock-reader';

/** The event of a key as commands name it. */
function press(name: string) {
  const control = name.startsWith('Control+');
  const key = control ? name.slice('Control+'.length) : name === LETTERS ? 'm' : name;
  return { key, ctrlKey: control, metaKey: false, altKey: false, preventDefault: vi.fn() };
}

/** Each key of a place, and what it does there: the functions that were called. */
function effects<On extends object>(commands: readonly KeyedCommand<On>[], on: On, called: () => string[]) {
  return commands.flatMap(({ id, keys }) =>
    keys.map((key) => {
      const event = press(key);
      expect(runKey(commands, on, event, viewerCommands), `${id} by ${key}`).toBe(true);
      expect(event.preventDefault).toHaveBeenCalledOnce();
      return [key, called().join(' ')];
    }),
  );
}

function recorder<On extends object>(names: readonly (keyof On & string)[]) {
  let calls: string[] = [];
  const note = (name: string) => [
    name,
    (...args: unknown[]) => calls.push(`${name} ${JSON.stringify(args).slice(1, -1)}`),
  ];
  const on = Object.fromEntries(names.map(note)) as On;
  const called = () => {
    const these = calls;
    calls = [];
    return these;
  };
  return { on, called };
}

function viewerAt(change: Partial<CommandViewer> = {}) {
  const store = createViewerStore(createMockReader({ branches: 60, stepTime: 1 }));
  const show = vi.fn();
  const viewer: CommandViewer = {
    ...{ store, theme: 'light', isApp: true, addressOf: undefined, find: () => undefined, show },
    ...change,
  };
  return { store, show, viewer };
}

describe('the keys of the help', () => {
  it('are each heard in their place, and do there what is said', () => {
    const list = recorder<ContentsList>(['move', 'unfold', 'fold', 'choose', 'mark', 'type']);
    expect(Object.fromEntries(effects(contentsCommands, list.on, list.called))).toEqual({
      ...{ ArrowUp: 'move {"rows":-1}', ArrowDown: 'move {"rows":1}' },
      ...{
        PageUp: 'move {"pages":-1}',
        PageDown: 'move {"pages":1}',
        Home: 'move "first"',
        End: 'move "last"',
      },
      ...{
        ArrowRight: 'unfold ',
        ArrowLeft: 'fold ',
        Enter: 'choose ',
        ' ': 'choose ',
        'Control+ ': 'mark ',
      },
      [LETTERS]: 'type "m"',
    });
    const grid = recorder<Required<GridCursor>>(['move', 'toEnd', 'open']);
    expect(Object.fromEntries(effects(gridCommands, grid.on, grid.called))).toEqual({
      ...{ ArrowUp: 'move {"rows":-1}', ArrowDown: 'move {"rows":1}' },
      ...{ ArrowLeft: 'move {"columns":-1}', ArrowRight: 'move {"columns":1}' },
      ...{ PageUp: 'move {"pages":-1}', PageDown: 'move {"pages":1}' },
      ...{ Home: 'toEnd "row","first"', End: 'toEnd "row","last"' },
      ...{ 'Control+Home': 'toEnd "table","first"', 'Control+End': 'toEnd "table","last"' },
      Enter: 'open ',
    });
    const { on: keyless } = recorder<GridCursor>(['move', 'toEnd']);
    const sorted = { ...keyless, sorted: true };
    expect(runKey(gridCommands, sorted, press('ArrowDown')), 'of a sorted table').toBe(false);
  });

  it('of the viewer open its dialogues, filter, and cancel what is being read', async () => {
    const focus = vi.fn();
    const { store, show, viewer } = viewerAt({ find: () => ({ focus }) as unknown as HTMLElement });
    const heard = (key: string) => runKey(viewerCommands, viewer, press(key));
    expect([heard('/'), heard('Escape')], 'there is no file').toEqual([false, false]);
    await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' });
    const reading = store.session.call('plot', 'Reading', (_api, _file, { signal }) => {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const ended = expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    expect(viewerCommands.flatMap(({ keys }) => keys.map(heard))).not.toContain(false);
    expect(show.mock.calls).toEqual([['palette'], ['help']]);
    expect(focus).toHaveBeenCalledOnce();
    await ended;
    store.dispose();
  });

  it('are different ones within a place, and none of a place hides one of the viewer', async () => {
    const all = [...keyedCommands, ...(await keysOfFeatures())];
    const ids = all.flatMap(([, commands]) => commands.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const everywhere = viewerCommands.flatMap(({ keys }) => keys);
    for (const [place, commands] of all) {
      const keys = commands.flatMap((command) => command.keys);
      expect(new Set(keys).size, place).toBe(keys.length);
      if (commands !== viewerCommands) expect(keys.filter((key) => everywhere.includes(key))).toEqual([]);
    }
    // A letter of the contents is none that the viewer has a use for.
    const list = recorder<ContentsList>(['type']);
    expect(runKey(contentsCommands, list.on, press('?'), viewerCommands)).toBe(false);
    expect(runKey(contentsCommands, list.on, press('Control+k'), viewerCommands)).toBe(false);
  });

  it('are all that is heard: other files only have the keys of fields and handles', () => {
    const folder = join(import.meta.dirname, '../../web');
    const files = ['ui', 'plot', 'element', 'features'].flatMap((room) =>
      readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    );
    const hearing = files.flatMap((name) => {
      if (!/\.tsx?$/.test(name)) return [];
      const text = readFileSync(join(folder, name), 'utf8');
      return /onKeyDown=|'keydown'/.test(text) ? [[name, text.includes('runKey(')] as const] : [];
    });
    const heard = {
      'plot/chart/gestures.ts': true,
      'features/map/view/file-map-input.ts': true,
      // Keys that move a brush.
      'features/boards/view/board-plot.tsx': false,
      // Keys that move a range.
      'ui/contents/contents.tsx': true,
      'features/entry/view/entry-view.tsx': true,
      // A field's own Enter and Escape.
      'features/layers/view/layers-panel.tsx': false,
      // Keys that go from field to field, and from byte to byte.
      'features/record/view/hex-bytes.tsx': false,
      'features/record/view/record-panel.tsx': false,
      // Keys that move a note, or the point of its arrow.
      'features/sessions/view/plot-notes.tsx': false,
      'ui/palette.tsx': false,
      'ui/panels/class-list.tsx': false,
      'ui/plot/plot-controls.tsx': false,
      'ui/plot/plot-span.tsx': false,
      'ui/widgets/query-field.tsx': false,
      'ui/table/entry-grid.tsx': true,
      'ui/viewer.tsx': true,
      'features/walls/view/large-plot.tsx': true,
      'features/walls/view/wall-grid.tsx': true,
      // The script of a page that is saved.
      'features/walls/work/wall-page.ts': false,
      'ui/widgets/splitter.tsx': false,
    };
    const isThere = (name: string) =>
      !name.startsWith('features/') || existsSync(join(folder, name.split('/').slice(0, 2).join('/')));
    expect(Object.fromEntries(hearing)).toEqual(
      Object.fromEntries(Object.entries(heard).filter(([name]) => isThere(name))),
    );
  });
});

describe('the list of commands', () => {
  it('has what can be done now, each under a name of its own', async () => {
    const { store, viewer } = viewerAt();
    const labels = () => commandsOf(viewer).map((command) => labelOf(command, viewer));
    expect(labels()).toContain('Paste an address');
    expect(labels()).not.toContain('Map');
    expect(labels()).not.toContain('Close the file');
    await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' }, { tree: 'Events' });
    expect(labels()).toEqual(
      expect.arrayContaining(['Draw', 'Table', 'Map', 'Doctor', 'Close the file', 'Events']),
    );
    expect(labels()).not.toContain('Save');
    expect(labels()).not.toContain('Logarithmic y axis');
    const ids = commandsOf(viewer).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    commandsOf(viewer)
      .find(({ id }) => id === 'view.map')
      ?.run(viewer);
    expect(store.selection.view.value).toBe('map');
    store.selection.select('file');
    expect(labels()).toContain('Save');
    store.dispose();
  });

  it('has the keys of the viewer, and nothing of the page in an element', async () => {
    const { store, viewer } = viewerAt({ isApp: false });
    await store.session.open({ kind: 'url', url: 'https://example.org/mock.root' });
    const listed = commandsOf(viewer);
    const idle = viewerCommands.filter(({ id }) => id !== 'cancel' && id !== 'find');
    expect(listed.filter(({ keys }) => keys !== undefined)).toEqual(idle);
    expect(listed.map((command) => labelOf(command, viewer))).not.toContain('Paste an address');
    store.dispose();
  });

  it('shows keys as they are written on keyboards', () => {
    expect(keysText(['Control+k'])).toBe('Ctrl K');
    expect(keysText(['ArrowUp', 'ArrowDown', 'PageUp', ' ', '/', LETTERS])).toBe('↑ ↓ PgUp Space / a … z');
    expect(keysText(['Control+Home'])).toBe('Ctrl Home');
  });
});
