import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import type { DrawRequest } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { readSmallTrees } from '../../web/ui/contents/small-trees';
import { watchViewer } from '../../web/ui/embed/viewer-events';
import { parsePageState } from '../../web/ui/state/address/url-state';
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
    await store.session.open(source, link);
    await until(() => store.selection.content.value.kind === 'draw');
    expect(store.selection.chosen.value).toMatchObject({
      kind: 'branch',
      branch: { path: 'Muon/Muon_pt' },
    });
    expect(store.navigation.pageState.value).toEqual(link);
    expect(store.contents.expanded.value).toEqual(new Set(['k0']));
  });

  it('compares branch after branch with the file of a link', async () => {
    const store = createViewerStore(createMockReader({ branches: 60, stepTime: 1 }));
    const layers = [{ src: 'other.root' }, {}];
    const link = parsePageState(
      `?${new URLSearchParams({ tree: 'Events', draw: 'Muon/Muon_pt', layers: JSON.stringify(layers), below: 'ratio' })}`,
    );
    await store.session.open(source, link);
    expect(JSON.parse(store.plot.layers.value)).toEqual(layers);
    expect(store.plot.look.value.below).toBe('ratio');
    // The layers say which of them stay, when they are shown.
    store.plot.staying.value = store.plot.layers.value;
    store.selection.select(store.selection.node.value.replace(/b\d+$/, 'b3'));
    expect(JSON.parse(store.plot.layers.value)).toEqual(layers);
    store.files.closeShown();
  });

  it('shows entries and sizes of trees that cost little, without being asked', async () => {
    const keys = (size: number) =>
      make((reader) => ({
        keys: async (file) =>
          (await reader.keys(file)).map((key) => (key.kind === 'tree' ? { ...key, storedBytes: size } : key)),
      }));
    const store = keys(100_000);
    await store.session.open(source);
    readSmallTrees(store);
    await until(
      () => [...store.contents.trees.value.values()].filter(({ state }) => state === 'ready').length === 2,
    );
    const large = keys(600_000);
    await large.session.open(source);
    readSmallTrees(large);
    expect(large.activities.list.value).toEqual([]);
  });

  it('says nothing of the time of an action during which the clock was set', async () => {
    const store = make();
    await store.session.open(source);
    const run = () => store.session.call('doctor', 'Looking', async () => undefined);
    await run();
    await until(() => typeof store.traffic.lastTime.value === 'number');
    const hours = vi.spyOn(performance, 'now');
    const start = performance.now();
    hours.mockReturnValueOnce(start).mockReturnValue(start + 3 * 3_600_000);
    await run();
    hours.mockRestore();
    expect(store.traffic.lastTime.value).toBeNull();
  });

  it('asks the server anew when a file that was opened without it is read again', async () => {
    let offline = true;
    const store = make((reader) => ({
      open: async (...args) => ({ ...(await reader.open(...args)), offline }),
      draw: (...args) =>
        offline ? Promise.reject(new XylemError({ code: 'NETWORK', message: 'No.' })) : reader.draw(...args),
    }));
    await store.session.open(source, { tree: 'Events' });
    store.selection.select('k0b0');
    await until(() => store.selection.content.value.kind === 'failed');
    offline = false;
    store.session.reload();
    await until(() => store.selection.content.value.kind === 'draw');
    expect(store.session.file.value?.info.offline).toBe(false);
  });

  it('keeps what a link draws when its tree cannot be read, and draws it on another try', async () => {
    let isGone = true;
    const drawn: DrawRequest[] = [];
    const store = make((reader) => ({
      tree: async (...call) => {
        if (isGone) throw new XylemError({ code: 'NETWORK', message: 'The server does not answer.' });
        return reader.tree(...call);
      },
      draw: async (file, request, options) => {
        drawn.push(request);
        return reader.draw(file, { tree: 'Events', branch: 'Muon/Muon_pt' }, options);
      },
    }));
    const link = parsePageState('?tree=Events&draw=Muon_pt&cut=nMuon>1&bins=20&range=0,50');
    await store.session.open(source, link);
    await until(() => store.selection.content.value.kind === 'failed');
    expect(store.navigation.shownState.value).toEqual(link);
    isGone = false;
    store.session.reload();
    await until(() => store.selection.content.value.kind === 'query');
    expect(store.contents.trees.value.get(0)).toMatchObject({ state: 'ready' });
    const axes = [{ bins: 20, range: [0, 50] }];
    expect(drawn).toEqual([
      expect.objectContaining({ tree: 'Events;2', expr: 'Muon_pt', cut: 'nMuon>1', axes }),
    ]);
    expect(store.navigation.shownState.value).toEqual(link);
  });

  it('reads the classes of a file when they are asked for, and says when that fails', async () => {
    let fails = true;
    const store = make((reader) => ({
      types: (...args) =>
        fails ? Promise.reject(new XylemError({ code: 'CORRUPT', message: 'No.' })) : reader.types(...args),
    }));
    await store.session.open(source);
    store.selection.select('file');
    store.selection.setView('classes');
    await until(() => store.selection.content.value.kind === 'failed');
    fails = false;
    store.session.reload();
    await until(() => store.selection.content.value.kind === 'classes');
    expect(store.selection.content.value).toMatchObject({ kind: 'classes' });
    store.selection.select('k2');
    expect(store.selection.content.value.kind).toBe('info');
    store.selection.select('file');
    await until(() => store.selection.content.value.kind === 'classes');
    store.selection.setView('overview');
    expect(store.selection.content.value.kind).toBe('info');
    store.files.closeShown();
    expect(store.selection.view.value).toBe('overview');
  });

  it('opens the view that a link names, and has it and its state in its own link', async () => {
    const store = make();
    const link = { url: 'https://host/a.root', view: 'map', show: 'branches=a' };
    await store.session.open({ kind: 'url', url: link.url }, link);
    expect(store.selection.view.value).toBe('map');
    expect(store.navigation.pageState.value).toEqual(link);
    store.selection.setView('layout');
    expect(store.navigation.pageState.value).toEqual({ url: link.url, view: 'layout', show: '' });
    store.selection.setView('overview');
    expect(store.navigation.pageState.value).toEqual({ url: link.url });
  });

  it('keeps the link while it is being opened', async () => {
    const store = make();
    const link = { url: source.url, tree: 'Events', draw: 'run' };
    const opened = store.session.open(source, link);
    expect(store.navigation.pageState.value).toEqual(link);
    await until(() => store.session.file.value !== null);
    expect(store.navigation.pageState.value).toEqual(link);
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
    await store.session.open(source, link);
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
    // The tree is not drawn on the way, nor the branch with other bins.
    expect(asked).toEqual([{ tree: 'Events;2', branch: 0, bins: 20, range: [1, 2.5] }]);
    expect(store.plot.look.value).toMatchObject({ log: { x: true, y: true }, errors: true });
    expect(store.navigation.pageState.value).toEqual(link);
    // Bins, range and logarithmic axes of one branch are not those of the next.
    store.selection.select('k0b5');
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
    expect(asked.at(-1)).toEqual({ tree: 'Events;2', branch: 5 });
    const next = { url: source.url, tree: 'Events', draw: 'Muon/Muon_pt', errors: '1' };
    expect(store.navigation.pageState.value).toEqual(next);
    // Its entries are no plot, and the tree neither.
    store.selection.setBranchView('entries');
    expect(store.navigation.pageState.value).not.toHaveProperty('errors');
    store.selection.select('k0');
    expect(store.navigation.pageState.value).toEqual({ url: source.url, tree: 'Events' });
  });

  it('goes back to a plot as it was, and draws it again only if bins or range differ', async () => {
    const draw = vi.fn<EngineApi['draw']>();
    const store = make((reader) => ({
      draw(file, request, options) {
        void draw(file, request);
        return reader.draw(file, request, options);
      },
    }));
    const drawn = () =>
      until(() => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading);
    await store.session.open(source, { tree: 'Events', draw: 'run' });
    await drawn();
    const first = store.navigation.shownState.value;
    store.selection.setSettings({ bins: 20, range: [1, 2] });
    store.plot.look.value = { ...store.plot.look.value, log: { x: false, y: true } };
    await drawn();
    const second = store.navigation.shownState.value;
    expect(second).toEqual({ ...first, bins: '20', range: '1,2', log: 'y' });

    // The same branch with other choices.
    const count = draw.mock.calls.length;
    await store.navigation.restore(first);
    await drawn();
    expect(store.navigation.shownState.value).toEqual(first);
    expect(draw.mock.calls.slice(count).map(([, request]) => request)).toEqual([
      { tree: 'Events;2', branch: 0 },
    ]);
    await store.navigation.restore({ ...first, log: 'y' });
    expect(store.navigation.shownState.value).toEqual({ ...first, log: 'y' });
    expect(draw).toHaveBeenCalledTimes(count + 1);

    // From another place.
    store.selection.select('k0b5');
    await drawn();
    await store.navigation.restore(second);
    await drawn();
    expect(store.navigation.shownState.value).toEqual(second);
    expect(store.selection.content.value).toMatchObject({
      result: { axes: [{ bins: 20, low: 1, high: 2 }] },
    });
    // A link that does not speak of the plot, and is no whole state, keeps that of the same branch alone.
    await store.navigation.show({ tree: 'Events', draw: 'run' }, true);
    expect(store.navigation.shownState.value).toEqual(second);
    await store.navigation.restore({ tree: 'Events' });
    await store.navigation.show({ tree: 'Events', draw: 'run' }, true);
    await drawn();
    expect(store.navigation.shownState.value).toEqual(first);
    // Invalid values are ignored.
    await store.navigation.restore({ ...second, bins: 'many', range: '2,1' });
    await drawn();
    expect(store.navigation.shownState.value).toEqual({ ...first, log: 'y' });
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
    await store.session.open(source, query);
    await until(
      () => store.selection.content.value.kind === 'query' && !store.selection.content.value.reading,
    );
    expect(asked).toEqual([{ tree: 'Events;2', expr: 'run*2', cut: '', axes: [{ range: [1, 2] }] }]);
    expect(store.navigation.shownState.value).toEqual({ ...query, view: undefined, show: undefined });

    const histogram = store.session.file.value?.keyTree.keys.find(({ className }) =>
      className.startsWith('TH1'),
    );
    const item = histogram?.path ?? '';
    const asMembers = { item, as: 'members', rebin: '4' };
    await store.navigation.restore(asMembers);
    await until(() => store.selection.content.value.kind === 'object');
    expect(store.plot.way.value).toBe('members');
    expect(store.navigation.shownState.value).toEqual(asMembers);
    await store.navigation.restore({ item });
    expect(store.plot.way.value).toBeUndefined();
    expect(store.plot.look.value.rebin).toBe(1);
    await store.navigation.restore(query);
    await until(
      () => store.selection.content.value.kind === 'query' && !store.selection.content.value.reading,
    );
    expect(asked.at(-1)).toMatchObject({ expr: 'run*2', axes: [{ range: [1, 2] }] });
  });

  it('says what a link asks for that does not exist', async () => {
    const store = make();
    await store.session.open(source, { tree: 'Events', draw: 'nothing' });
    await until(() => store.activities.list.value.length === 0);
    await new Promise((resolve) => setTimeout(resolve));
    expect(store.selection.content.value).toMatchObject({
      kind: 'failed',
      error: { code: 'NOT_FOUND' },
    });
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
    await store.session.open(source, link);
    await until(
      () => store.selection.content.value.kind === 'query' && !store.selection.content.value.reading,
    );
    expect(asked[0]).toMatchObject({ expr: 'Muon/Muon_pt', cut: 'run>2', option: 'prof' });
    expect(store.navigation.pageState.value).toEqual(link);
    expect(store.history.list.value[0]).toEqual({ expr: 'Muon/Muon_pt', cut: 'run>2', profile: true });

    // Another view and back, or a branch and back, show it again; another tree does not.
    store.selection.setView('overview');
    expect(store.navigation.pageState.value).toEqual({ url: source.url, tree: 'Events' });
    store.selection.setView('draw');
    expect(store.navigation.pageState.value).toEqual(link);
    store.selection.select('k0b0');
    store.selection.drawQuery({ expr: 'run*2', cut: '', profile: false });
    await until(
      () => store.selection.content.value.kind === 'query' && !store.selection.content.value.reading,
    );
    expect(store.navigation.pageState.value).toEqual({ url: source.url, tree: 'Events', draw: 'run*2' });
    expect(asked.at(-1)).not.toHaveProperty('option');
    store.selection.select('k11');
    expect(store.selection.query.value).toBeNull();
  });

  it('shows partial histograms and ends with the whole one', async () => {
    const store = make();
    await store.session.open(source, { tree: 'Events' });
    const seen: string[] = [];
    effect(() => {
      const content = store.selection.content.value;
      if (content.kind === 'draw') seen.push(content.reading ? 'partial' : 'whole');
    });
    store.selection.select('k0b0');
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
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
    await store.session.open(source, { tree: 'Events' });
    store.selection.select('k0b0');
    store.selection.select('k0b1');
    await until(() => store.selection.content.value.kind === 'draw');
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(store.selection.content.value).toMatchObject({ result: { kind: 'frequencies' } });
    expect(store.activities.list.value).toEqual([]);
  });

  it('distinguishes a cancelled call from a failed one', async () => {
    const store = make();
    await store.session.open(source, { tree: 'Events' });
    store.selection.select('k0b0');
    store.activities.cancel();
    await until(() => store.selection.content.value.kind === 'cancelled');
    store.selection.select('k0b2');
    await until(() => store.selection.content.value.kind === 'failed');
    expect(store.selection.content.value).toMatchObject({ error: { code: 'CHECKSUM' } });
  });

  it('keeps the plot of a branch when an expression that is drawn from it has a mistake', async () => {
    const store = make((reader) => ({
      async draw(file, request, options) {
        if (request.branch !== undefined) return reader.draw(file, request, options);
        const where = { expression: 'sqt(x)', offset: 0 };
        throw new XylemError({ code: 'ARGUMENT', message: 'There is no function "sqt".', where });
      },
    }));
    await store.session.open(source, { tree: 'Events' });
    store.selection.select('k0b0');
    await until(() => store.selection.content.value.kind === 'draw');
    await until(() => store.activities.list.value.length === 0);
    store.selection.drawQuery({ expr: 'sqt(x)', cut: '', profile: false });
    await until(() => (store.selection.content.value as { mistake?: unknown }).mistake !== undefined);
    expect(store.selection.content.value).toMatchObject({
      ...{ kind: 'query', stale: true, reading: false },
      result: { kind: 'histogram' },
    });
  });

  it('keeps a provisional plot when its reading is cancelled, and reads the rest', async () => {
    let isSlow = true;
    const store = make((reader) => ({
      async draw(file, request, options) {
        const result = await reader.draw(file, request, options);
        if (!isSlow || result.kind !== 'histogram') return result;
        const done = { bytesDone: 1, bytesTotal: 2, entriesDone: 1, entriesTotal: 2 };
        options?.onProgress?.({ label: 'x', ...done, partial: result });
        return new Promise<never>((_, reject) =>
          options?.signal?.addEventListener('abort', () =>
            reject(new XylemError({ code: 'ABORTED', message: 'cancelled' })),
          ),
        );
      },
    }));
    await store.session.open(source, { tree: 'Events' });
    store.selection.select('k0b0');
    await until(() => store.selection.content.value.kind === 'draw');
    store.activities.cancel();
    await until(() => store.activities.list.value.length === 0);
    await until(() => 'cancelled' in store.selection.content.value);
    expect(store.selection.content.value).toMatchObject({ kind: 'draw', cancelled: true, stale: false });
    isSlow = false;
    store.session.reload();
    await until(() => (store.selection.content.value as { reading?: boolean }).reading === false);
    expect(store.selection.content.value).not.toHaveProperty('cancelled');
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
    const drawn = () =>
      until(() => store.selection.content.value.kind === 'query' && !store.selection.content.value.reading);
    const link = { tree: 'Events', draw: 'sqrt(run)', bins: '30', range: '0,10', norm: 'first' };
    await store.session.open(source, link);
    await drawn();
    expect(asked).toEqual([
      { tree: 'Events;2', expr: 'sqrt(run)', cut: '', axes: [{ bins: 30, range: [0, 10] }] },
    ]);
    expect(store.navigation.shownState.value).toEqual({ ...link, view: undefined, show: undefined });
    store.selection.drawQuery({ expr: 'sqrt(run)', cut: 'run>2', profile: false });
    await drawn();
    store.selection.setSettings({ yBins: 7, yRange: [1, 2] });
    await drawn();
    const axes = [
      { bins: 30, range: [0, 10] },
      { bins: 7, range: [1, 2] },
    ];
    expect(asked.slice(1)).toMatchObject([{ cut: 'run>2', axes: [axes[0]] }, { axes }]);
    store.selection.select('k0b5');
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
    store.selection.select('k0');
    await drawn();
    expect(store.navigation.shownState.value).toMatchObject({
      draw: 'sqrt(run)',
      bins: '30,7',
      range: '0,10,1,2',
    });
    // Another expression has bins of its own; one whose text was only completed keeps what is shown.
    store.selection.drawQuery({ expr: 'run', cut: '', profile: false });
    expect(store.plot.settings.value).toEqual({});
    store.selection.setSettings({ bins: 5 });
    store.selection.drawQuery({ expr: 'run>>h', cut: '', profile: false }, 'keep');
    expect(store.plot.settings.value).toEqual({ bins: 5 });
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
    await store.session.open(source, { tree: 'Events', draw: 'Muon/Muon_pt' });
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
    const before = store.selection.content.value;
    store.selection.cutBranch('run and');
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
    expect(store.selection.content.value).toMatchObject({
      stale: true,
      mistake: { code: 'ARGUMENT' },
    });
    expect(store.selection.content.value).toHaveProperty('result', (before as { result: unknown }).result);
    expect([failures, plots]).toEqual([['ARGUMENT'], ['branch']]);
    store.selection.cutBranch('run > 1');
    await until(
      () => store.selection.content.value.kind === 'draw' && !store.selection.content.value.reading,
    );
    expect(store.selection.content.value).toMatchObject({ stale: false });
    expect((store.selection.content.value as { mistake?: unknown }).mistake).toBeUndefined();
    // Where nothing was drawn before, the mistake is all there is.
    await store.navigation.show({ tree: 'Events', draw: 'run' });
    store.selection.select('k0');
    await store.navigation.show({ tree: 'Events', draw: 'Muon/Muon_pt', cut: 'run and' });
    await until(() => store.selection.content.value.kind === 'failed');
  });

  it('asks for a range and drops it for the next branch', async () => {
    const draw = vi.fn<EngineApi['draw']>();
    const store = make((reader) => ({
      draw(file, request, options) {
        void draw(file, request);
        return reader.draw(file, request, options);
      },
    }));
    await store.session.open(source, { tree: 'Events' });
    store.selection.select('k0b0');
    store.selection.setSettings({ bins: 20, range: [1, 2] });
    store.selection.select('k0b5');
    await until(() => store.selection.content.value.kind === 'draw');
    expect(draw.mock.calls.map(([, request]) => request)).toEqual([
      { tree: 'Events;2', branch: 0 },
      { tree: 'Events;2', branch: 0, bins: 20, range: [1, 2] },
      { tree: 'Events;2', branch: 5 },
    ]);
  });

  it('keeps the error of a file that does not open, and tries again', async () => {
    const store = make();
    await store.session.open({ kind: 'url', url: 'https://example.org/missing.root' });
    expect(store.session.openError.value).toMatchObject({ code: 'HTTP_STATUS' });
    store.session.retry();
    expect(store.session.openError.value).toBeNull();
    await until(() => store.session.openError.value !== null);
  });

  it('shows only the last of two files that are opened at once, and closes the other', async () => {
    const close = vi.fn(() => Promise.resolve());
    const store = make(() => ({ close }));
    const first = store.session.open({ kind: 'blob', blob: new Blob(), name: 'first.root' });
    const second = store.session.open({ kind: 'blob', blob: new Blob(), name: 'second.root' });
    await Promise.all([first, second]);
    expect(store.session.file.value?.info.name).toBe('second.root');
    expect(store.session.openError.value).toBeNull();
    store.dispose();
    expect(close).toHaveBeenCalled();
    expect(store.session.file.value).toBeNull();
  });

  it('closes the file when its keys cannot be read', async () => {
    const close = vi.fn(() => Promise.resolve());
    const store = make(() => ({ close, keys: () => Promise.reject(new Error('keys')) }));
    await store.session.open(source);
    expect(store.session.openError.value).toMatchObject({ code: 'INTERNAL', message: 'keys' });
    expect(close).toHaveBeenCalledTimes(1);
  });
});
