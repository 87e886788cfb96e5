import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../../web/core/columns';
import type { CardValue } from '../../../web/features/entry/work/card';
import { eventPicture } from '../../../web/features/entry/work/event-drawing';
import { type EventObjects, objectsOf, usualObjects } from '../../../web/features/entry/work/objects';
import { cardReport } from '../../../web/features/entry/work/tables';
import { drawingSvg } from '../../../web/plot/drawing/drawing';
import { cellText } from '../../../web/report/rows';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();

const numbers = (values: readonly number[]): Column => ({
  ...{ kind: 'primitive', length: values.length, dtype: 'f64' },
  data: Float64Array.from(values),
});
const list = (child: Column): Column => ({
  ...{ kind: 'list', length: 1, child },
  offsets: Int32Array.of(0, child.length),
});
const struct = (members: Record<string, Column>): Column => ({
  ...{ kind: 'struct', typeName: 'S', names: Object.keys(members), children: Object.values(members) },
  length: Object.values(members)[0]?.length ?? 0,
});
const branch = (name: string, group: string, column: Column, more: Partial<CardValue> = {}): CardValue => ({
  ...{ path: name, name, title: name, group, typeName: 'T', column, ...more },
});
const momenta = (collection: string, count: number): CardValue[] =>
  ['pt', 'eta', 'phi'].map((part, i) =>
    branch(
      `${collection}_${part}`,
      collection,
      list(numbers(Array.from({ length: count }, (_, k) => 1 + i + k))),
    ),
  );

const named = (values: readonly CardValue[]) =>
  Object.fromEntries(objectsOf(values).map(({ name, objects }) => [name, objects.length]));

describe('objects', () => {
  test('are found in NanoAOD, in members of structures, and as missing momentum', () => {
    const polar = struct({
      fPt: numbers([5, 6]),
      fEta: numbers([1, 2]),
      fPhi: numbers([0, 1]),
      fM: numbers([1, 1]),
    });
    const cartesian = struct({
      fP: struct({ fX: numbers([3]), fY: numbers([4]), fZ: numbers([0]) }),
      fE: numbers([5]),
    });
    const values = [
      ...momenta('Muon', 3),
      branch('jets', 'jets', list(struct({ fCoordinates: polar }))),
      branch('p4', 'p4', list(cartesian)),
      branch('MET_pt', 'MET', numbers([20])),
      branch('MET_phi', 'MET', numbers([1])),
    ];
    expect(named(values)).toEqual({ Muon: 3, jets: 2, p4: 1, MET: 1 });
    const [muon, jets, p4, met] = objectsOf(values);
    expect(muon?.objects[1]).toEqual({ index: 1, pt: 2, eta: 3, phi: 4 });
    expect(jets?.objects[0]).toEqual({ index: 0, pt: 5, eta: 1, phi: 0, mass: 1 });
    expect(p4).toMatchObject({
      isComputed: true,
      objects: [{ pt: 5, eta: 0, phi: Math.atan2(4, 3), energy: 5 }],
    });
    expect(met).toMatchObject({ isMissing: true, objects: [{ pt: 20, phi: 1, eta: undefined }] });
  });

  test('are not made of lists of different lengths, of texts, or of two parts', () => {
    const [pt, eta, phi] = momenta('X', 2) as [CardValue, CardValue, CardValue];
    expect(named([pt, eta, { ...phi, column: list(numbers([1, 2, 3])) }])).toEqual({});
    expect(named([pt, phi])).toEqual({});
    expect(named([pt, eta, { ...phi, column: undefined }])).toEqual({});
  });

  test('that have no finite numbers are counted, and not drawn', () => {
    const [pt, eta, phi] = momenta('X', 2) as [CardValue, CardValue, CardValue];
    const [found] = objectsOf([pt, { ...eta, column: list(numbers([Number.NaN, 1])) }, phi]);
    expect(found).toMatchObject({ left: 1, objects: [{ index: 1 }] });
    expect(drawingSvg(eventPicture('t', [found as EventObjects]).drawing)).toContain('not finite: 1.');
  });

  test('without a momentum have no direction', () => {
    const part = (name: string, values: number[]) => branch(`X_${name}`, 'X', list(numbers(values)));
    const [found] = objectsOf([part('px', [0, 3]), part('py', [0, 4]), part('pz', [0, 0])]);
    expect(found).toMatchObject({ left: 1, objects: [{ index: 1, pt: 5, eta: 0 }] });
  });

  test('of well-known names come first', () => {
    const all = objectsOf(['A', 'B', 'C', 'D', 'E', 'F', 'Muon', 'Jet'].flatMap((name) => momenta(name, 1)));
    const names = usualObjects(all).map(({ name }) => name);
    expect(names).toHaveLength(6);
    expect(names).toEqual(expect.arrayContaining(['Muon', 'Jet']));
  });
});

describe('the picture', () => {
  const collection = (charge: number | undefined): EventObjects => ({
    ...{ name: 'Muon', isMissing: false, isComputed: false, left: 0 },
    objects: [{ index: 0, pt: 1, eta: 0.5, phi: 0, charge }],
  });
  /** The end of the line across the beam. */
  const tip = (charge: number | undefined) => eventPicture('t', [collection(charge)]).marks[0];

  test('bends a positive charge clockwise, a negative one the other way, and nothing without a charge', () => {
    const straight = tip(undefined)?.y ?? 0;
    expect(tip(0)?.y).toBe(straight);
    // Pixels count downwards.
    expect(tip(1)?.y).toBeGreaterThan(straight + 10);
    expect(tip(-1)?.y).toBeLessThan(straight - 10);
  });

  test('says how lines are drawn, and escapes the names of branches', () => {
    const text = (of: EventObjects) =>
      drawingSvg(eventPicture('t', [of]).drawing).replace(/<\/?text[^>]*>/g, ' ');
    expect(text(collection(1))).toMatch(/bent by the charge, as an example in a field of 3.8 T/);
    expect(text(collection(undefined))).toMatch(/Lines are straight, because no charge is stored: Muon/);
    expect(text({ ...collection(1), name: '<script>' })).not.toContain('<script>');
  });

  test('fits 320 pixels', () => {
    const { drawing } = eventPicture('t', [collection(1)], 320);
    expect(drawing.width).toBe(320);
    for (const shape of drawing.shapes) if (shape.kind === 'text') expect(shape.x).toBeLessThan(320);
  });
});

describe('tables', () => {
  const report = (values: CardValue[], find = '') =>
    cardReport(
      { file: 'f', tree: 't', entry: 0, entries: 1, values, reading: { requests: 1, bytes: 1 } },
      { find },
    );

  test('have a row for each object, and name the bits that are set', () => {
    const bits: CardValue = branch('Muon_idBits', 'Muon', list(numbers([5, 0])));
    const { tables = [] } = report([...momenta('Muon', 2), bits]);
    expect(tables.map(({ title }) => title)).toEqual(['Muon (2 objects)']);
    const [table] = tables;
    const cells = table?.rows.map((row) => table.columns.map((one) => cellText(one, row)));
    expect(cells).toEqual([
      ['0', '1', '2', '3', '5 (bits 0, 2)'],
      ['1', '2', '3', '4', '0'],
    ]);
  });

  test('do not join lists that other branches count, although they are as long', () => {
    const counted = (name: string, counter: string) =>
      branch(name, 'X', list(numbers([1, 2])), { title: `${name}[${counter}]/F` });
    const { tables = [] } = report([
      ...['a', 'b'].map((name) => counted(`X_${name}`, 'nA')),
      ...['c', 'd'].map((name) => counted(`X_${name}`, 'nB')),
    ]);
    expect(tables.map(({ columns }) => columns.length)).toEqual([3, 3]);
  });

  test('name branches that could not be read, and find words in names and documentation', () => {
    const lost = branch('bad', 'bad', numbers([1]), {
      column: undefined,
      error: { code: 'CORRUPT', message: 'Basket 0 is damaged.' },
    });
    const muons = momenta('Muon', 1).map((one) => ({ ...one, documentation: 'of muons', unit: 'GeV' }));
    const { tables = [] } = report([...muons, lost]);
    expect(tables.at(-1)).toMatchObject({ title: 'Branches that could not be read (1)' });
    expect(report([...muons, lost], 'gev MUONS').tables).toHaveLength(1);
    expect(report([...muons, lost], 'nothing').tables).toHaveLength(0);
  });
});

describe('xylem entry', () => {
  const json = async (...args: string[]) => {
    const { status, out, err } = await run(reader, 'entry', sample, ...args, '--json');
    return { status, err, card: status === 0 ? JSON.parse(out) : undefined };
  };

  test('goes to the next and to the previous entry that passes a cut', async () => {
    const cut = 'nMuon==2 && Muon_pt[0]>60';
    const file = await reader.open({ kind: 'path', path: sample });
    const { entries } = await reader.scan(file.id, { tree: 'Events', columns: '1', cut, limit: 5000 });
    await reader.close(file.id);
    const all = [...entries];
    expect(all.length).toBeGreaterThan(10);
    const entryOf = async (...args: string[]) => (await json('Events', ...args, '--cut', cut)).card?.entry;
    for (const at of [0, 700, 1500, all[3] ?? 0]) {
      expect(await entryOf(String(at), '--next'), `after ${at}`).toBe(all.find((one) => one > at));
      expect(await entryOf(String(at)), `from ${at}`).toBe(all.find((one) => one >= at));
      if (at > (all[0] ?? 0))
        expect(await entryOf(String(at), '--previous'), `before ${at}`).toBe(all.findLast((one) => one < at));
    }
    const none = await json('Events', '2399', '--next', '--cut', cut);
    expect(none).toMatchObject({
      status: 1,
      err: expect.stringContaining('no entry after 2,399 that passes'),
    });
  });

  test('has one tree by itself, and refuses entries that are not there', async () => {
    expect((await json('12')).card).toMatchObject({
      tree: 'Events',
      entry: 12,
      reading: { requests: expect.any(Number) },
    });
    expect(await json('Events', '2400')).toMatchObject({
      status: 1,
      err: expect.stringContaining('Events has no entry 2,400'),
    });
    expect(await json('Events', '1', '--next', '--previous')).toMatchObject({ status: 2 });
    expect(await json('Events', 'x')).toMatchObject({ status: 2 });
  });

  test('of two files says which file has the entry', async () => {
    const { out } = await run(reader, 'entry', `${sample},${sample}`, 'Events', '2405', '--json');
    const other = (await json('Events', '5')).card;
    const card = JSON.parse(out);
    expect(card).toMatchObject({ entry: 2405, entries: 4800, inFile: 5, file: sample });
    expect(card.groups).toEqual(other.groups);
  });

  test('draws the objects, and reports them as a page', async () => {
    const svg = await run(reader, 'entry', sample, '12', '--svg', '-');
    expect(svg.out).toMatch(/^<svg/);
    expect(svg.out).toMatch(/<title>Muon 0: pt 4\.33594, eta -0\.0077858, phi -1\.52051, charge 1<\/title>/);
    const page = await run(reader, 'entry', sample, '12', '--report', '-');
    expect(page.out.indexOf('<figure><svg')).toBeLessThan(page.out.indexOf('<table>'));
    expect(page.out).toContain('<figure><svg');
    const wrong = await run(reader, 'entry', sample, '12', '--svg', '-', '--objects', 'Tau');
    expect(wrong).toMatchObject({ status: 1, err: expect.stringContaining('There are: Muon, MET') });
  });
});
