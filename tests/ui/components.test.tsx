// Components of the page by role and label, on the sample that the reader of Node reads. What needs layout, pointers or the
// focus of a browser is a story in e2e.
import './dom';
import { signal } from '@preact/signals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeyInfo } from '../../web/api/api';
import { SaveView } from '../../web/features/writer/view/save-view';
import { column, type Report } from '../../web/report/report';
import type { CommandViewer } from '../../web/ui/commands/viewer-commands';
import { Contents } from '../../web/ui/contents/contents';
import { Help } from '../../web/ui/help';
import { Palette } from '../../web/ui/palette';
import { QueryBar } from '../../web/ui/query/query-bar';
import { ReportView } from '../../web/ui/report/report';
import { VerbView } from '../../web/ui/report/verb-view';
import type { OpenFile, ViewerStore } from '../../web/ui/state/viewer-state';
import { FilteredList } from '../../web/ui/widgets/filtered-list';
import { openSample, sampleSource } from './page';

let store: ViewerStore;
let open: OpenFile;
let close: () => void;
beforeAll(async () => {
  ({ store, open, close } = await openSample());
});
beforeEach(() => {
  store.contents.filter.value = '';
  store.selection.select('file');
});
afterEach(cleanup);
afterAll(() => close());

const texts = (elements: readonly HTMLElement[]) => elements.map((element) => element.textContent ?? '');
const key = (element: HTMLElement, name: string) => fireEvent.keyDown(element, { key: name });

describe('a report', () => {
  const rows = Array.from({ length: 150 }, (_, i) => ({ path: `b${i}`, size: (i * 37) % 150 }));
  const report: Report = {
    title: 'Sizes',
    facts: [{ label: 'Stored', value: 2048, unit: 'bytes' }],
    tables: [
      {
        id: 'sizes',
        columns: [
          column<(typeof rows)[0]>('name', 'Branch', 'text', ({ path }) => path),
          column<(typeof rows)[0]>('size', 'Stored', 'bytes', ({ size }) => size),
        ],
        rows,
        by: 'size',
      },
    ],
  };

  test('sorts its table by a press of a head, the other way by the second', () => {
    render(<ReportView report={report} />);
    const table = within(screen.getByRole('table'));
    const head = (name: string) => table.getByRole('columnheader', { name: new RegExp(name) });
    const first = () => table.getAllByRole('rowheader')[0]?.textContent;
    expect(head('Stored').getAttribute('aria-sort')).toBe('descending');
    expect(rows.find(({ path }) => path === first())?.size).toBe(149);
    fireEvent.click(table.getByRole('button', { name: /Stored/ }));
    expect(head('Stored').getAttribute('aria-sort')).toBe('ascending');
    expect(rows.find(({ path }) => path === first())?.size).toBe(0);
    fireEvent.click(table.getByRole('button', { name: 'Branch' }));
    expect(head('Stored').getAttribute('aria-sort')).toBe(null);
    expect(first()).toBe('b0');
  });

  test('shows the first rows of a long table, and more when asked', () => {
    render(<ReportView report={report} />);
    expect(screen.getAllByRole('rowheader')).toHaveLength(100);
    fireEvent.click(screen.getByRole('button', { name: /50 more/ }));
    expect(screen.getAllByRole('rowheader')).toHaveLength(150);
    expect(screen.getByText('2.05 kB')).toBeTruthy();
  });

  test('goes to the place of a row', () => {
    const places: unknown[] = [];
    const place = { offset: 100, length: 2000 };
    const found: Report = { title: 'Finding', parts: [{ title: 'Small baskets', place }] };
    render(<ReportView report={found} onPlace={(one) => places.push(one)} />);
    fireEvent.click(screen.getByRole('button', { name: 'Show on the map' }));
    expect(places).toEqual([place]);
  });
});

test('a verb that reads much waits for a press of its button, and then shows its report', async () => {
  render(<VerbView id="check" store={store} open={open} tree={undefined} theme="light" />);
  const button = await screen.findByRole('button', { name: 'Check' });
  expect(screen.queryByText(/^No findings/)).toBe(null);
  fireEvent.click(button);
  expect(
    await screen.findByText(/^No findings: .*, 2,400 entries, 55 baskets$/, {}, { timeout: 10_000 }),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Check' })).toBe(null);
});

describe('the contents', () => {
  const tree = () => screen.getByRole('tree');
  const names = () =>
    screen.getAllByRole('treeitem').map((row) => row.getAttribute('aria-label') ?? row.textContent ?? '');

  test('are a tree that the keyboard opens and closes', async () => {
    render(<Contents store={store} name="sample" share={signal(40)} />);
    await waitFor(() => expect(names().length).toBeGreaterThan(0));
    store.contents.unfold('k0', false);
    await waitFor(() => expect(names()).not.toContain('event'));
    const before = names().length;
    const active = () => document.getElementById(tree().getAttribute('aria-activedescendant') ?? '');
    key(tree(), 'Home');
    await waitFor(() => expect(active()).toBe(screen.getAllByRole('treeitem')[0]));
    // Letters go to the next name that begins with them.
    for (const letter of 'ev') key(tree(), letter);
    await waitFor(() => expect(active()?.textContent).toMatch(/^Events/));
    expect(active()?.getAttribute('aria-expanded')).toBe('false');
    key(tree(), 'ArrowRight');
    await waitFor(() => expect(active()?.getAttribute('aria-expanded')).toBe('true'));
    await waitFor(() => expect(names().length).toBeGreaterThan(before));
    key(tree(), 'ArrowDown');
    await waitFor(() => expect(active()?.getAttribute('aria-level')).toBe('2'));
    key(tree(), 'ArrowLeft');
    await waitFor(() => expect(active()?.textContent).toMatch(/^Events/));
    key(tree(), 'ArrowLeft');
    await waitFor(() => expect(names()).toHaveLength(before));
  });

  test('are filtered by words, count what matches, and Escape shows all again', async () => {
    store.contents.readAllTrees();
    render(<Contents store={store} name="sample" share={signal(40)} />);
    const field = screen.getByRole('searchbox', { name: 'Filter the contents' });
    fireEvent.input(field, { target: { value: 'muon_PT' } });
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 match'));
    // A branch that matches is shown with the tree that holds it.
    expect(names().some((name) => name.startsWith('Muon_pt'))).toBe(true);
    expect(names().some((name) => name.startsWith('Events'))).toBe(true);
    expect(names().some((name) => name.startsWith('nMuon'))).toBe(false);
    fireEvent.input(field, { target: { value: 'no such thing' } });
    expect(await screen.findByText('Nothing here matches the filter.')).toBeTruthy();
    key(field, 'Escape');
    await waitFor(() => expect(screen.queryByRole('status')).toBe(null));
  });
});

test('the palette finds a branch by words, moves by arrows, and shows what is chosen', async () => {
  store.contents.readAllTrees();
  const viewer: CommandViewer = {
    ...{ store, theme: 'light' as const, isApp: true, addressOf: undefined },
    ...{ find: () => null, show: () => undefined },
  };
  render(<Palette viewer={viewer} onClose={() => undefined} />);
  const field = screen.getByRole('combobox');
  fireEvent.input(field, { target: { value: 'muon' } });
  const options = await screen.findAllByRole('option');
  const chosen = () => screen.getByRole('option', { selected: true });
  expect(chosen()).toBe(options[0]);
  key(field, 'ArrowDown');
  await waitFor(() => expect(chosen()).toBe(screen.getAllByRole('option')[1]));
  expect(field.getAttribute('aria-activedescendant')).toBe(chosen().id);
  fireEvent.input(field, { target: { value: 'muon_pt' } });
  await waitFor(() => expect(chosen().textContent).toContain('Muon_pt'));
  key(field, 'Enter');
  await waitFor(() =>
    expect(store.selection.chosen.value).toMatchObject({ kind: 'branch', branch: { path: 'Muon_pt' } }),
  );
  fireEvent.input(field, { target: { value: 'zzz nothing' } });
  expect(await screen.findByText('Nothing has that name or title.')).toBeTruthy();
});

test('help lists the keys', () => {
  render(<Help onClose={() => undefined} />);
  const dialog = screen.getByRole('dialog');
  expect(within(dialog).getByText(/Filter the contents/)).toBeTruthy();
});

test('files are merged when two are chosen', async () => {
  const { store, close } = await openSample();
  store.files.later(sampleSource('second.root'));
  const open = store.session.file.value as OpenFile;
  render(<SaveView store={store} open={open} tree={undefined} theme="light" />);
  const save = () => screen.getByRole('button', { name: /files? as one/ }) as HTMLButtonElement;
  const second = screen.getByRole('checkbox', { name: 'second.root' });
  expect(save().textContent).toContain('Save 2 files as one');
  expect(save().disabled).toBe(false);
  fireEvent.click(second);
  expect(save().textContent).toContain('Save 1 file');
  expect(save().disabled).toBe(true);
  expect(screen.getByRole('combobox', { name: 'Branches' })).toBeTruthy();
  close();
});

test('a query is drawn when it is sent, and a mistake in it is told', async () => {
  const index = open.keyTree.keys.findIndex(({ name }) => name === 'Events');
  const tree = await store.contents.readTree(index);
  store.selection.select(`k${index}`);
  render(<QueryBar store={store} tree={tree} keyInfo={open.keyTree.keys[index] as KeyInfo} />);
  const form = screen.getByRole('form', { name: 'Draw of Events' });
  const field = within(form).getByLabelText('Draw');
  fireEvent.input(field, { target: { value: 'Muon_pt*2' } });
  fireEvent.submit(form);
  await waitFor(
    () =>
      expect(store.selection.content.value).toMatchObject({ kind: 'query', query: { expr: 'Muon_pt*2' } }),
    {
      timeout: 10_000,
    },
  );
  expect(screen.queryByRole('alert')).toBe(null);
  fireEvent.input(field, { target: { value: 'Muon_ptt' } });
  fireEvent.submit(form);
  expect((await screen.findByRole('alert', {}, { timeout: 10_000 })).textContent).toContain('Muon_pt');
});

test('a long list has a search field, and shows more when asked', async () => {
  const items = Array.from({ length: 30 }, (_, i) => `item ${i}`);
  render(
    <FilteredList items={items} textOf={(one) => one} hint="by name" label="Search" pageSize={10}>
      {(shown) => (
        <ul>
          {shown.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </FilteredList>,
  );
  expect(screen.getAllByRole('listitem')).toHaveLength(10);
  fireEvent.click(screen.getByRole('button', { name: /20 more/ }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(20));
  fireEvent.input(screen.getByRole('searchbox', { name: 'Search' }), { target: { value: 'ITEM 29' } });
  await waitFor(() => expect(texts(screen.getAllByRole('listitem'))).toEqual(['item 29']));
});
