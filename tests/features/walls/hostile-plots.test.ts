// Sound objects whose numbers are hard to draw (tests/fixtures/make_hostile_plots.py): paths have plain numbers in every
// kind of picture, and what cannot be drawn says so in its place, beside all others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EngineApi } from '../../../web/api/engine-api';
import type { ObjectOutcome } from '../../../web/api/objects';
import { storedTiles } from '../../../web/features/walls/work/stored-tiles';
import type { Tile } from '../../../web/features/walls/work/tile';
import { tileDrawing } from '../../../web/features/walls/work/wall-svg';
import { type Drawing, drawingSvg, PALETTE, type Shape } from '../../../web/plot/drawing/drawing';
import { paintDrawing } from '../../../web/plot/drawing/drawing-canvas';
import type { LogAxes } from '../../../web/plot/model';
import { run } from '../../cli/support';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { openReader } from '../../engine-reader';

const path = resolve(import.meta.dirname, '../../fixtures/files/hostile-plots.root');
const SIZE = { width: 320, height: 230 };
const LOGS: LogAxes[] = [
  { x: false, y: false },
  { x: false, y: true },
  { x: true, y: true },
];

let engine: EngineApi;
let tiles: Tile[];
beforeAll(async () => {
  engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('hostile-plots', fixtureBytes('hostile-plots')));
  const names = (await engine.keys(id)).map((key) => key.path);
  const outcomes = await Promise.all(
    names.map(async (name): Promise<ObjectOutcome> => ({ object: await engine.object(id, name) })),
  );
  tiles = await storedTiles(engine, names, outcomes);
});

const drawingOf = (tile: Tile, log: LogAxes): Drawing =>
  tile.picture ?? tileDrawing(tile, SIZE, { log, sameAxes: false }, undefined);

/** Every path of SVG: letters of commands, and numbers without an exponent. */
const PLAIN = /^([MLHVCZhvaz]|-?\d+(\.\d+)?(?=[^\d.]|$)|[ ,])*$/;
/** The operators of a page of PDF that draws, between numbers without an exponent. */
const PDF_LINE =
  /^(\[?-?\d+(\.\d+)?\]?|q|Q|cm|m|l|c|h|re|W|n|f|S|B|w|d|j|rg|RG|gs|\/G\d+|\/F\d+|Tf|Tm|Tj|BT|ET|<[0-9a-f]*>)$/;

describe.each(LOGS)('with logarithmic axes %o', (log) => {
  it('SVG has plain numbers', () => {
    const wrong = tiles.flatMap((tile) => {
      const svg = drawingSvg(drawingOf(tile, log));
      const paths = [...svg.matchAll(/ d="([^"]*)"/g)].map(([, d = '']) => d);
      const numbers = [...svg.matchAll(/ (?:x|y|width|height|transform)="([^"]*)"/g)].map(
        ([, one = '']) => one,
      );
      const bad = [
        ...paths.filter((d) => !PLAIN.test(d)),
        ...numbers.filter((one) => /NaN|Infinity|\de/.test(one)),
      ];
      return bad.map((d) => `${tile.name}: ${d.slice(0, 80)}`);
    });
    expect(wrong).toEqual([]);
  });

  it('the canvas of a page gets plain numbers', () => {
    const seen: string[] = [];
    vi.stubGlobal(
      'Path2D',
      class {
        constructor(d: string) {
          seen.push(d);
        }
      },
    );
    const places: unknown[] = [];
    const take = (...values: unknown[]) =>
      void places.push(...values.filter((one) => typeof one === 'number'));
    const ctx = new Proxy(
      {},
      { get: (_, name) => (name === 'measureText' ? () => ({ width: 1 }) : take), set: () => true },
    );
    for (const tile of tiles)
      paintDrawing(ctx as CanvasRenderingContext2D, drawingOf(tile, log), {
        palette: PALETTE,
        fontFamily: 'sans',
      });
    expect(seen.length).toBeGreaterThan(tiles.length);
    expect(seen.filter((d) => !PLAIN.test(d))).toEqual([]);
    expect(places.filter(Number.isNaN)).toEqual([]);
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe('pictures of the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-hostile-plots-'));
  const at = (name: string): string => join(folder, name);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['svg', '--log'],
    ['html', '--same-axes'],
    ['pdf', undefined],
  ])('a wall as %s with %s has all of them', async (form, look) => {
    const reader = await openReader({ workers: 0 });
    const target = at(`wall.${form}`);
    const more = look === undefined ? [] : [look];
    const { status, err } = await run(reader, 'wall', path, ...more, `--${form}`, target);
    expect({ status, err: err.replace(/^(note|written): .*\n?/gm, '') }).toEqual({ status: 0, err: '' });
    await reader.terminate();
    const document = readFileSync(target);
    if (form !== 'pdf') {
      const text = document.toString();
      for (const { name } of tiles) expect(text).toContain(name);
      expect(text.match(/<svg/g)?.length).toBeGreaterThanOrEqual(tiles.length);
      return;
    }
    const words = pagesOf(document).join('\n').split(/\s+/).filter(Boolean);
    expect(words.filter((word) => word === 'Tj').length).toBeGreaterThan(tiles.length);
    expect([...new Set(words.filter((word) => !PDF_LINE.test(word)))]).toEqual([]);
  });

  it('one of them is refused in words, or drawn as SVG and PNG', async () => {
    const reader = await openReader({ workers: 0 });
    for (const name of ['h_wide', 'x_wide', 'm_wide']) {
      const { status, err } = await run(reader, 'draw', path, name, '--svg', at('one.svg'));
      expect(status).toBe(1);
      expect(err).toMatch(/An axis from \S+ to \S+ cannot be drawn.*\[UNSUPPORTED\]/s);
    }
    for (const name of ['s_huge', 'h_both', 'x_stamps', 'TGraphBentErrors_nan']) {
      const { status, err } = await run(reader, 'draw', path, name, '--png', at('one.png'));
      expect({ name, status, err }).toEqual({ name, status: 0, err: `written: ${at('one.png')}\n` });
    }
    await reader.terminate();
  });
});

/** The instructions of the pages of a PDF. */
function pagesOf(pdf: Buffer): string[] {
  const pages: string[] = [];
  for (let from = 0; ; ) {
    const start = pdf.indexOf('stream\n', from);
    if (start < 0) return pages;
    const end = pdf.indexOf('endstream', start);
    pages.push(inflateSync(pdf.subarray(start + 7, end)).toString('latin1'));
    from = end + 9;
  }
}

it('finite numbers are drawn: steps of a stack beside the infinite one, and bars without an end', () => {
  const shapesOf = (name: string): Shape[] => {
    const tile = tiles.find((one) => one.name === name);
    if (tile === undefined) throw new Error(`no ${name}`);
    return drawingOf(tile, { x: false, y: false }).shapes.flatMap((one) =>
      one.kind === 'clip' ? one.shapes : [],
    );
  };
  const steps = shapesOf('s_inf').filter((one) => one.kind === 'path');
  expect(steps).toHaveLength(2);
  // Bins 1, 3 and 4 are there, with a gap at bin 2.
  for (const one of steps) expect(one.kind === 'path' && one.d.match(/M/g)?.length).toBe(2);
  expect(shapesOf('TGraphErrors_inf').some((one) => one.kind === 'dots' && one.points.length === 4)).toBe(
    true,
  );
  const why = tiles.filter((tile) => tile.why !== undefined).map(({ name }) => name);
  expect(why).toContain('h_wide');
  expect(why).not.toContain('first');
});
