// Needs features: layers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../web/cli/commands/list';
import { givenLook } from '../../web/cli/terminal/look-options';
import { stateFields } from '../../web/element/attributes';
import { controlsOf } from '../../web/plot/look/controls';
import { type LookEntry, type LookName, lookText, PLOT_LOOK, plainLook } from '../../web/plot/look/look';
import type { AnyPlot } from '../../web/plot/model';
import { pageFields } from '../../web/ui/state/address/url-state';
import { createPlotChoices } from '../../web/ui/state/plot-choices';
import { fitsPlotField } from '../../web/ui/state/plot-state';

const root = join(import.meta.dirname, '../..');
const looks = Object.entries(PLOT_LOOK) as [LookName, LookEntry<unknown>][];

/** A text of each choice that is not its plain one. */
const OTHER: Record<LookName, string> = {
  ...{ log: 'xy', errors: '1', rebin: '4', how: 'nostack', norm: 'area', below: 'ratio' },
  ...{
    palette: 'viridis',
    statbox: '1',
    notes: '91.2,400>90,350: Z^{0}: a note',
    figure: 'cms',
    fit: 'gaus; range=80:100',
  },
};
const base = { title: '', xTitle: '', yTitle: '', stats: [] };
const values = Float64Array.of(4, 9);
const edges = Float64Array.of(0, 1, 2);
const counts: AnyPlot = { ...base, kind: 'bins', mark: 'steps', edges, values };
const means: AnyPlot = { ...base, kind: 'bins', mark: 'points', edges, values, errors: values };
const map: AnyPlot = {
  ...{ ...base, kind: 'map', zTitle: '', xEdges: edges, yEdges: edges, values: Float64Array.of(1, 2, 3, 4) },
};

describe.each(looks)('the look %s', (name, entry) => {
  it('comes back from its text, and is left out where it is plain', () => {
    const value = entry.parse(OTHER[name]);
    expect(value).toBeDefined();
    expect(lookText(name, value)).toBe(OTHER[name]);
    expect(lookText(name, entry.plain)).toBe('');
    expect(fitsPlotField(name, OTHER[name])).toBe(true);
    for (const wrong of ['', entry.text(entry.plain), `${'?'.repeat(201)}`])
      expect(fitsPlotField(name, wrong), wrong).toBe(false);
  });

  it('is in links, attributes and the documents', async () => {
    expect(pageFields).toContain(name);
    expect(stateFields).toContain(name);
    expect(await readFile(join(root, 'docs/embedding.md'), 'utf8')).toContain(`\`${name}\``);
  });

  it('stays for another plot, or does not', () => {
    const choices = createPlotChoices();
    choices.look.value = { ...plainLook, [name]: entry.parse(OTHER[name]) };
    choices.take(undefined);
    expect(lookText(name, choices.look.value[name])).toBe(entry.stays === true ? OTHER[name] : '');
  });

  it('is turned on and off by its switches', () => {
    for (const { isOn, turned, has, label, command } of controlsOf(name).switches ?? []) {
      const on = turned(entry.plain, true);
      expect([isOn(on), isOn(turned(on, false))]).toEqual([true, false]);
      for (const plot of [counts, means, map]) {
        if (!has(plot)) continue;
        expect(label(plot)).not.toBe('');
        expect(command(true, plot)).not.toBe(command(false, plot));
      }
    }
  });

  it('has values that a list shows, the plain one first', () => {
    const { list } = controlsOf(name);
    if (list === undefined) return;
    const [all = []] = [counts, map]
      .map((plot) => list.values(plot, entry.plain))
      .filter(({ length }) => length > 0);
    expect(all[0]).toBe(entry.plain);
    expect(new Set(all.map(list.name)).size).toBe(all.length);
  });

  it('is asked for by options of the command line', async () => {
    const draw = await commands.draw?.load();
    for (const [option, { says, about }] of Object.entries(controlsOf(name).options ?? {})) {
      expect(draw?.help('draw').replace(/\s+/g, ' ')).toContain(about);
      const look = givenLook({ [option]: says === undefined ? OTHER[name] : true });
      expect(lookText(name, look[name])).toBe(says ?? OTHER[name]);
      if (says === undefined)
        expect(() => givenLook({ [option]: '?' })).toThrow(`--${option} does not take "?"`);
    }
  });
});

it('which looks another plot keeps, and which only stored objects or layers have', () => {
  const where = (is: (entry: LookEntry<unknown>) => boolean) =>
    looks.filter(([, entry]) => is(entry)).map(([name]) => name);
  expect(where(({ stays }) => stays === true)).toEqual(['errors', 'norm', 'below', 'palette', 'statbox']);
  expect(where(({ of }) => of === 'stored')).toEqual(['rebin', 'how']);
  expect(where(({ of }) => of === 'layers')).toEqual(['norm', 'below']);
});

it('which plots have which switches and lists', () => {
  const of = (plot: AnyPlot) =>
    looks.flatMap(([name, { plain }]) => {
      const { switches = [], list } = controlsOf(name);
      const shown = switches.filter(({ has }) => has(plot)).map(({ label }) => label(plot));
      return list && list.values(plot, plain).length > 0 ? [...shown, list.label(plot)] : shown;
    });
  expect(of(counts)).toEqual(['Log x', 'Log y', 'Errors', 'Rebin', 'Scale', 'Below', 'Statistics box']);
  expect(of(means)).toEqual(['Log x', 'Log y', 'Below', 'Statistics box']);
  expect(of(map)).toEqual(['Log colours', 'Instead', 'Colours', 'Statistics box']);
});

it('notebooks take the state of the element', async () => {
  const python = JSON.parse(await readFile(join(root, 'hosts/jupyter/src/xylem/state.json'), 'utf8'));
  expect([...python].sort(), 'run "node scripts/build.mjs types"').toEqual(
    [...stateFields, 'view', 'board'].sort(),
  );
});
