import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build, type Rollup } from 'vite';
import { afterAll, describe, expect, test } from 'vitest';
import { openRoot } from '../../../web/node';
import { lacks } from '../../needs';

const root = resolve(import.meta.dirname, '../../..');
const sample = resolve(root, 'public/sample.root');
const { phoenixEvent } = await import(pathToFileURL(resolve(root, 'docs/features/entry/phoenix.mjs')).href);

async function eventOf(path: string, tree: string, entry: number) {
  const file = await openRoot(path);
  const handle = await file.tree(tree);
  const values = await handle.arrays(['event', 'nMuon', 'Muon_*', 'MET_*'], { entries: [entry, entry + 1] });
  const event = await phoenixEvent(handle, entry);
  await file.close();
  return { event, values };
}

test('the event data of Phoenix have the values of the entry, in MeV', async () => {
  const { event, values } = await eventOf(sample, 'Events', 1234);
  const at = (name: string) => values[name]?.at(0) as number[];
  expect(event['event number']).toBe(Number(values.event?.at(0)));
  const muons = event.Muons.Muon;
  expect(muons.map(({ pt }: { pt: number }) => pt)).toEqual(at('Muon_pt').map((pt) => 1000 * pt));
  expect(muons.map(({ eta }: { eta: number }) => eta)).toEqual(at('Muon_eta'));
  for (const [i, muon] of muons.entries()) {
    const [link = ''] = muon.LinkedTracks;
    const [name = '', index = ''] = link.split(':');
    const [d0, z0, phi, theta, perMomentum] = event.Tracks[name][Number(index)].dparams;
    expect([d0, z0, phi]).toEqual([0, 0, at('Muon_phi')[i]]);
    // The momentum from pt and eta, and that along the beam from theta.
    const momentum = 1000 * (at('Muon_pt')[i] ?? 0) * Math.cosh(at('Muon_eta')[i] ?? 0);
    expect(perMomentum * momentum).toBeCloseTo(at('Muon_charge')[i] ?? 0, 9);
    expect(Math.cos(theta)).toBeCloseTo(Math.tanh(at('Muon_eta')[i] ?? 0), 9);
  }
  const [{ etx, ety }] = event.MissingEnergy.MET;
  expect(Math.hypot(etx, ety)).toBeCloseTo(1000 * Number(values.MET_pt?.at(0)), 6);
  expect(Math.atan2(ety, etx)).toBeCloseTo(Number(values.MET_phi?.at(0)), 9);
});

/** A folder in which "npm install --ignore-scripts phoenix-event-display" was run. */
const phoenix = process.env.XYLEM_PHOENIX ?? '';

describe.skipIf(lacks('phoenix-event-display in XYLEM_PHOENIX', existsSync(phoenix)))(
  "Phoenix's own loader",
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-phoenix-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each([0, 7, 1234])(
      'takes entry %s, and draws each object',
      async (entry) => {
        const { event } = await eventOf(sample, 'Events', entry);
        const { drawn, tracks } = await loaded(folder, event);
        const counts = (list: Record<string, object[]> = {}) =>
          Object.fromEntries(Object.entries(list).map(([name, objects]) => [name, objects.length]));
        expect(drawn).toEqual({
          Tracks: counts(event.Tracks),
          Muons: counts(event.Muons),
          MissingEnergy: counts(event.MissingEnergy),
        });
        // Each track was followed through the field of Phoenix.
        for (const length of tracks) expect(length).toBeGreaterThan(2);
      },
      60_000,
    );
  },
);

interface Loaded {
  /** Number of objects in each collection of each list. */
  drawn: Record<string, Record<string, number>>;
  /** Number of points of each track. */
  tracks: number[];
}

/** Gives event data to `PhoenixLoader.buildEventData`; of its panel of controls, which needs a document, nothing is there. */
async function loaded(folder: string, event: unknown): Promise<Loaded> {
  const entry = join(folder, 'entry.mjs');
  const panel = join(folder, 'panel.mjs');
  writeFileSync(panel, 'export class GUI {}\nexport default { GUI };\n');
  const at = (path: string) => JSON.stringify(join(phoenix, 'node_modules', path));
  writeFileSync(
    entry,
    `import { PhoenixLoader } from ${at('phoenix-event-display/dist/loaders/phoenix-loader.js')};
import { Group } from ${at('three/build/three.module.js')};
export function load(event) {
  const groups = {};
  const graphics = { addEventDataTypeGroup: (name) => (groups[name] = new Group()) };
  const ui = { addEventDataTypeFolder() {}, addCollection() {}, getUIMenus: () => [] };
  new PhoenixLoader().buildEventData(event, graphics, ui, { add() {} });
  const counts = ({ children }) => Object.fromEntries(children.map(({ name, children }) => [name, children.length]));
  return {
    drawn: Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, counts(group)])),
    tracks: Object.values(event.Tracks ?? {}).flat().map(({ pos }) => pos.length),
  };
}
`,
  );
  const made = await build({
    ...{ root: folder, configFile: false, logLevel: 'silent' },
    resolve: { alias: { 'dat.gui': panel }, dedupe: ['three'] },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'loader' } },
  });
  const [{ output }] = [made].flat() as [Rollup.RollupOutput];
  const quiet = { ...console, log() {} };
  const context = createContext({
    console: quiet,
    navigator: {},
    setTimeout,
    clearTimeout,
    URL,
    performance,
  });
  runInContext(`var window = globalThis; var self = globalThis;\n${output[0].code}`, context);
  return JSON.parse(runInContext(`JSON.stringify(loader.load(${JSON.stringify(event)}))`, context)) as Loaded;
}
