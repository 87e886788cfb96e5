import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import type { DrawRequest } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { watchViewer } from '../../web/ui/embed/viewer-events';
import { createViewerStore } from '../../web/ui/state/store';
import type { ViewerStore } from '../../web/ui/state/viewer-state';
import { createMockReader } from '../mock-reader';

const source = { kind: 'url', url: 'https://example.org/mock.root' } as const;

/** Waits until the condition on signals holds. */
function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let done = false;
    const stop = effect(() => {
      if (done || !condition()) return;
      done = true;
      resolve();
    });
    if (done) stop();
  });
}

function make(change: (reader: EngineApi) => Partial<EngineApi> = () => ({})): ViewerStore {
  const reader = createMockReader({ branches: 60, stepTime: 1 });
  return createViewerStore({ ...reader, ...change(reader) });
}

describe('the viewer store', () => {
  it('opens a link down to the histogram, and its state makes the same link', async () => {
    const store = make();
    const link = { url: source.url, tree: 'Events', draw: 'Muon/Muon_pt' };
    await store.open(source, link);
    await until(() => store.content.value.kind === 'draw');
    expect(store.selection.value).toMatchObject({ kind: 'branch', branch: { path: 'Muon/Muon_pt' } });
    expect(store.pageState.value).toEqual(link);
    expect(store.expanded.value).toEqual(new Set(['k0']));
  });

  it.each([
    ['of the page, when it has one', 'https://viewer.example/app/', 'https://viewer.example/app/other.root'],
    ['of the file in an element', undefined, 'https://example.org/other.root'],
  ])('the address of the file to compare with is relative to that %s', async (_, base, wanted) => {
    const store = createViewerStore(createMockReader({ branches: 60, stepTime: 1 }), { base });
    await store.open(source, { tree: 'Events', draw: 'Muon/Muon_pt', with: 'other.root' });
    await until(() => store.reference.file.value !== null);
    expect(store.reference.file.value?.source).toEqual({ kind: 'url', url: wanted });
    store.closeFile();
  });

  it('shows entries and sizes of trees that cost little, without being asked', async () => {
    const keys = (size: number) =>
      make((reader) => ({
        keys: async (file) =>
          (await reader.keys(file)).map((key) => (key.kind === 'tree' ? { ...key, storedBytes: size } : key)),
      }));
    const store = keys(100_000);
    await store.open(source);
    store.readSmallTrees();
    await until(() => [...store.trees.value.values()].filter(({ state }) => state === 'ready').length === 2);
    const large = keys(600_000);
    await large.open(source);
    large.readSmallTrees();
    expect(large.activities.list.value).toEqual([]);
  });

  it('says nothing of the time of an action during which the clock was set', async () => {
    const store = make();
    await store.open(source);
    const run = () => store.call('doctor', 'Looking', async () => undefined);
    await run();
    await until(() => typeof store.lastTime.value === 'number');
    const hours = vi.spyOn(performance, 'now');
    const start = performance.now();
    hours.mockReturnValueOnce(start).mockReturnValue(start + 3 * 3_600_000);
    await run();
    hours.mockRestore();
    expect(store.lastTime.value).toBeNull();
  });

  it('reads the classes of a file when they are asked for, and says when that fails', async () => {
    let fails = true;
    const store = make((reader) => ({
      types: (...args) =>
        fails ? Promise.reject(new XylemError({ code: 'CORRUPT', message: 'No.' })) : reader.types(...args),
    }));
    await store.open(source);
    store.select('file');
    store.setView('classes');
    await until(() => store.content.value.kind === 'failed');
    fails = false;
    store.reload();
    await until(() => store.content.value.kind === 'classes');
    expect(store.content.value).toMatchObject({ kind: 'classes' });
    store.select('k2');
    expect(store.content.value.kind).toBe('info');
    store.select('file');
    await until(() => store.content.value.kind === 'classes');
    store.setView('overview');
    expect(store.content.value.kind).toBe('info');
    store.closeFile();
    expect(store.view.value).toBe('overview');
  });

  it('opens the view that a link names, and has it and its state in its own link', async () => {
    const store = make();
    const link = { url: 'https://host/a.root', view: 'map', show: 'branches=a' };
    await store.open({ kind: 'url', url: link.url }, link);
    expect(store.view.value).toBe('map');
    expect(store.pageState.value).toEqual(link);
    store.setView('layout');
    expect(store.pageState.value).toEqual({ url: link.url, view: 'layout', show: '' });
    store.setView('overview');
    expect(store.pageState.value).toEqual({ url: link.url });
  });

  it('keeps the link while it is being opened', async () => {
    const store = make();
    const link = { url: source.url, tree: 'Events', draw: 'run' };
    const opened = store.open(source, link);
    expect(store.pageState.value).toEqual(link);
    await until(() => store.file.value !== null);
    expect(store.pageState.value).toEqual(link);
    await opened;
  });

  it('draws with the bins, range and axes of a link, and has them in its own', async () => {
    const asked: object[] = [];
    const store = make((reader) => ({
      draw(file, request, options) {
        asked.push(request);
        return reader.draw(file, request, options);
      },
    }));
    const plot = { bins: '20', range: '1,2.5', log: 'xy', errors: '1' };
    const link = { url: source.url, tree: 'Events', draw: 'run', ...plot };
    await store.open(source, link);
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    // The tree is not drawn on the way, nor the branch with other bins.
    expect(asked).toEqual([{ tree: 'Events;2', branch: 0, bins: 20, range: [1, 2.5] }]);
    expect(store.look.value).toMatchObject({ log: { x: true, y: true }, errors: true });
    expect(store.pageState.value).toEqual(link);
    // Bins, range and logarithmic axes of one branch are not those of the next.
    store.select('k0b5');
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    expect(asked.at(-1)).toEqual({ tree: 'Events;2', branch: 5 });
    const next = { url: source.url, tree: 'Events', draw: 'Muon/Muon_pt', errors: '1' };
    expect(store.pageState.value).toEqual(next);
    // Its entries are no plot, and the tree neither.
    store.setBranchView('entries');
    expect(store.pageState.value).not.toHaveProperty('errors');
    store.select('k0');
    expect(store.pageState.value).toEqual({ url: source.url, tree: 'Events' });
  });

  it('goes back to a plot as it was, and draws it again only if bins or range differ', async () => {
    const draw = vi.fn<EngineApi['draw']>();
    const store = make((reader) => ({
      draw(file, request, options) {
        void draw(file, request);
        return reader.draw(file, request, options);
      },
    }));
    const drawn = () => until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    await store.open(source, { tree: 'Events', draw: 'run' });
    await drawn();
    const first = store.shownState.value;
    store.setSettings({ bins: 20, range: [1, 2] });
    store.look.value = { ...store.look.value, log: { x: false, y: true } };
    await drawn();
    const second = store.shownState.value;
    expect(second).toEqual({ ...first, bins: '20', range: '1,2', log: 'y' });

    // The same branch with other choices.
    const count = draw.mock.calls.length;
    await store.restore(first);
    await drawn();
    expect(store.shownState.value).toEqual(first);
    expect(draw.mock.calls.slice(count).map(([, request]) => request)).toEqual([
      { tree: 'Events;2', branch: 0 },
    ]);
    await store.restore({ ...first, log: 'y' });
    expect(store.shownState.value).toEqual({ ...first, log: 'y' });
    expect(draw).toHaveBeenCalledTimes(count + 1);

    // From another place.
    store.select('k0b5');
    await drawn();
    await store.restore(second);
    await drawn();
    expect(store.shownState.value).toEqual(second);
    expect(store.content.value).toMatchObject({ result: { axes: [{ bins: 20, low: 1, high: 2 }] } });
    // A link that does not speak of the plot, and is no whole state, keeps that of the same branch alone.
    await store.show({ tree: 'Events', draw: 'run' }, true);
    expect(store.shownState.value).toEqual(second);
    await store.restore({ tree: 'Events' });
    await store.show({ tree: 'Events', draw: 'run' }, true);
    await drawn();
    expect(store.shownState.value).toEqual(first);
    // Invalid values are ignored.
    await store.restore({ ...second, bins: 'many', range: '2,1' });
    await drawn();
    expect(store.shownState.value).toEqual({ ...first, log: 'y' });
  });

  it('restores a query with its range, and how an object was shown', async () => {
    const asked: DrawRequest[] = [];
    const store = make((reader) => ({
      async draw(file, request, options) {
        if (request.branch !== undefined) return reader.draw(file, request, options);
        asked.push(request);
        return { kind: 'entries', name: 'l', numbers: Float64Array.of(1), entries: 2 };
      },
    }));
    const query = { tree: 'Events', draw: 'run*2', range: '1,2', log: 'x' };
    await store.open(source, query);
    await until(() => store.content.value.kind === 'query' && !store.content.value.reading);
    expect(asked).toEqual([{ tree: 'Events;2', expr: 'run*2', cut: '', axes: [{ range: [1, 2] }] }]);
    expect(store.shownState.value).toEqual({ ...query, view: undefined, show: undefined });

    const histogram = store.file.value?.keyTree.keys.find(({ className }) => className.startsWith('TH1'));
    const item = histogram?.path ?? '';
    const asMembers = { item, as: 'members', rebin: '4' };
    await store.restore(asMembers);
    await until(() => store.content.value.kind === 'object');
    expect(store.way.value).toBe('members');
    expect(store.shownState.value).toEqual(asMembers);
    await store.restore({ item });
    expect(store.way.value).toBeUndefined();
    expect(store.look.value.rebin).toBe(1);
    await store.restore(query);
    await until(() => store.content.value.kind === 'query' && !store.content.value.reading);
    expect(asked.at(-1)).toMatchObject({ expr: 'run*2', axes: [{ range: [1, 2] }] });
  });

  it('says what a link asks for that does not exist', async () => {
    const store = make();
    await store.open(source, { tree: 'Events', draw: 'nothing' });
    await until(() => store.activities.list.value.length === 0);
    await new Promise((resolve) => setTimeout(resolve));
    expect(store.content.value).toMatchObject({ kind: 'failed', error: { code: 'NOT_FOUND' } });
  });

  it('draws other texts than branches as expressions, and a branch with a cut too', async () => {
    const asked: DrawRequest[] = [];
    const store = make((reader) => ({
      async draw(file, request, options) {
        if (request.branch !== undefined) return reader.draw(file, request, options);
        asked.push(request);
        return { kind: 'entries', name: 'l', numbers: Float64Array.of(1), entries: 2 };
      },
    }));
    const link = { url: source.url, tree: 'Events', draw: 'Muon/Muon_pt', cut: 'run>2', opt: 'prof' };
    await store.open(source, link);
    await until(() => store.content.value.kind === 'query' && !store.content.value.reading);
    expect(asked[0]).toMatchObject({ expr: 'Muon/Muon_pt', cut: 'run>2', option: 'prof' });
    expect(store.pageState.value).toEqual(link);
    expect(store.history.list.value[0]).toEqual({ expr: 'Muon/Muon_pt', cut: 'run>2', profile: true });

    // Another view and back, or a branch and back, show it again; another tree does not.
    store.setView('overview');
    expect(store.pageState.value).toEqual({ url: source.url, tree: 'Events' });
    store.setView('draw');
    expect(store.pageState.value).toEqual(link);
    store.select('k0b0');
    store.runQuery({ expr: 'run*2', cut: '', profile: false });
    await until(() => store.content.value.kind === 'query' && !store.content.value.reading);
    expect(store.pageState.value).toEqual({ url: source.url, tree: 'Events', draw: 'run*2' });
    expect(asked.at(-1)).not.toHaveProperty('option');
    store.select('k11');
    expect(store.query.value).toBeNull();
  });

  it('shows partial histograms and ends with the whole one', async () => {
    const store = make();
    await store.open(source, { tree: 'Events' });
    const seen: string[] = [];
    effect(() => {
      const content = store.content.value;
      if (content.kind === 'draw') seen.push(content.reading ? 'partial' : 'whole');
    });
    store.select('k0b0');
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    expect(seen.filter((kind) => kind === 'partial').length).toBeGreaterThan(3);
    expect(seen.at(-1)).toBe('whole');
  });

  it('aborts the running call when something else is selected, and never shows its result', async () => {
    const signals: AbortSignal[] = [];
    const store = make((reader) => ({
      draw(file, request, options) {
        if (options?.signal !== undefined) signals.push(options.signal);
        return reader.draw(file, request, options);
      },
    }));
    await store.open(source, { tree: 'Events' });
    store.select('k0b0');
    store.select('k0b1');
    await until(() => store.content.value.kind === 'draw');
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(store.content.value).toMatchObject({ result: { kind: 'frequencies' } });
    expect(store.activities.list.value).toEqual([]);
  });

  it('distinguishes a cancelled call from a failed one', async () => {
    const store = make();
    await store.open(source, { tree: 'Events' });
    store.select('k0b0');
    store.activities.cancel();
    await until(() => store.content.value.kind === 'cancelled');
    store.select('k0b2');
    await until(() => store.content.value.kind === 'failed');
    expect(store.content.value).toMatchObject({ error: { code: 'CHECKSUM' } });
  });

  it('draws an expression with the bins of a link, and keeps them under another cut and on the way back', async () => {
    const asked: DrawRequest[] = [];
    const store = make((reader) => ({
      async draw(file, request, options) {
        if (request.branch !== undefined) return reader.draw(file, request, options);
        asked.push(request);
        return { kind: 'entries', name: 'l', numbers: Float64Array.of(1), entries: 2 };
      },
    }));
    const drawn = () => until(() => store.content.value.kind === 'query' && !store.content.value.reading);
    const link = { tree: 'Events', draw: 'sqrt(run)', bins: '30', range: '0,10', area: '1' };
    await store.open(source, link);
    await drawn();
    expect(asked).toEqual([
      { tree: 'Events;2', expr: 'sqrt(run)', cut: '', axes: [{ bins: 30, range: [0, 10] }] },
    ]);
    expect(store.shownState.value).toEqual({ ...link, view: undefined, show: undefined });
    store.runQuery({ expr: 'sqrt(run)', cut: 'run>2', profile: false });
    await drawn();
    store.setSettings({ yBins: 7, yRange: [1, 2] });
    await drawn();
    const axes = [
      { bins: 30, range: [0, 10] },
      { bins: 7, range: [1, 2] },
    ];
    expect(asked.slice(1)).toMatchObject([{ cut: 'run>2', axes: [axes[0]] }, { axes }]);
    store.select('k0b5');
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    store.select('k0');
    await drawn();
    expect(store.shownState.value).toMatchObject({ draw: 'sqrt(run)', bins: '30,7', range: '0,10,1,2' });
    // Another expression has bins of its own; one whose text was only completed keeps what is shown.
    store.runQuery({ expr: 'run', cut: '', profile: false });
    expect(store.settings.value).toEqual({});
    store.setSettings({ bins: 5 });
    store.runQuery({ expr: 'run>>h', cut: '', profile: false }, true);
    expect(store.settings.value).toEqual({ bins: 5 });
  });

  it('keeps the last plot beside a mistake in the cut, and draws anew when it is repaired', async () => {
    const store = make((reader) => ({
      async draw(file, request, options) {
        if (request.cut !== 'run and') return reader.draw(file, { ...request, cut: undefined }, options);
        throw new XylemError({
          ...{ code: 'ARGUMENT', message: 'Did you mean &&?' },
          where: { expression: 'run and', offset: 4, length: 3 },
        });
      },
    }));
    const failures: string[] = [];
    const plots: string[] = [];
    watchViewer(store, (name, detail) => {
      if (name === 'error') failures.push((detail as { code: string }).code);
      if (name === 'plot') plots.push((detail as { kind: string }).kind);
    });
    await store.open(source, { tree: 'Events', draw: 'Muon/Muon_pt' });
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    const before = store.content.value;
    store.cutBranch('run and');
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    expect(store.content.value).toMatchObject({ stale: true, mistake: { code: 'ARGUMENT' } });
    expect(store.content.value).toHaveProperty('result', (before as { result: unknown }).result);
    expect([failures, plots]).toEqual([['ARGUMENT'], ['branch']]);
    store.cutBranch('run > 1');
    await until(() => store.content.value.kind === 'draw' && !store.content.value.reading);
    expect(store.content.value).toMatchObject({ stale: false });
    expect((store.content.value as { mistake?: unknown }).mistake).toBeUndefined();
    // Where nothing was drawn before, the mistake is all there is.
    await store.show({ tree: 'Events', draw: 'run' });
    store.select('k0');
    await store.show({ tree: 'Events', draw: 'Muon/Muon_pt', cut: 'run and' });
    await until(() => store.content.value.kind === 'failed');
  });

  it('asks for a range and drops it for the next branch', async () => {
    const draw = vi.fn<EngineApi['draw']>();
    const store = make((reader) => ({
      draw(file, request, options) {
        void draw(file, request);
        return reader.draw(file, request, options);
      },
    }));
    await store.open(source, { tree: 'Events' });
    store.select('k0b0');
    store.setSettings({ bins: 20, range: [1, 2] });
    store.select('k0b5');
    await until(() => store.content.value.kind === 'draw');
    expect(draw.mock.calls.map(([, request]) => request)).toEqual([
      { tree: 'Events;2', branch: 0 },
      { tree: 'Events;2', branch: 0, bins: 20, range: [1, 2] },
      { tree: 'Events;2', branch: 5 },
    ]);
  });

  it('keeps the error of a file that does not open, and tries again', async () => {
    const store = make();
    await store.open({ kind: 'url', url: 'https://example.org/missing.root' });
    expect(store.openError.value).toMatchObject({ code: 'HTTP_STATUS' });
    store.retryOpen();
    expect(store.openError.value).toBeNull();
    await until(() => store.openError.value !== null);
  });

  it('shows only the last of two files that are opened at once, and closes the other', async () => {
    const close = vi.fn(() => Promise.resolve());
    const store = make(() => ({ close }));
    const first = store.open({ kind: 'blob', blob: new Blob(), name: 'first.root' });
    const second = store.open({ kind: 'blob', blob: new Blob(), name: 'second.root' });
    await Promise.all([first, second]);
    expect(store.file.value?.info.name).toBe('second.root');
    expect(store.openError.value).toBeNull();
    store.dispose();
    expect(close).toHaveBeenCalled();
    expect(store.file.value).toBeNull();
  });

  it('closes the file when its keys cannot be read', async () => {
    const close = vi.fn(() => Promise.resolve());
    const store = make(() => ({ close, keys: () => Promise.reject(new Error('keys')) }));
    await store.open(source);
    expect(store.openError.value).toMatchObject({ code: 'INTERNAL', message: 'keys' });
    expect(close).toHaveBeenCalledTimes(1);
  });
});
