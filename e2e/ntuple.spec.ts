import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { type Golden, readGolden } from '../tests/engine/fixtures';
import { dropFile, expect, fixturePath, parseShown, row, statistic, test } from './story';

/** A folder of real files, beside one of expected values; its stories are skipped where it is not there. */
const corpus = process.env.XYLEM_CORPUS ?? '';

/** Samples of the CMS open data as RNTuples, one of ATLAS PHYSLITE as TTree, and what to draw of each. */
const samples: [file: string, fields: string[]][] = [
  ['roottest/io__hadd__cms_opendata_0_100', ['Muon_pt', 'nMuon']],
  [
    'skhep/cmsopendata2015_ttbar_19980_NANOAOD_RNTupleImporter_rntuple_v1-0-0-1',
    ['Muon_pt', 'Jet_eta', 'HTXS_Higgs_pt', 'event'],
  ],
  ['unroot/RNTuple__Run2012BC_DoubleMuParked_Muons_rntuple_1000evts', ['Muon_pt', 'nMuon']],
  ['skhep/uproot-issue-951', ['AnalysisJetsAuxDyn.pt', 'AnalysisElectronsAuxDyn.eta']],
];

interface Drawn {
  entries: number;
  values: number;
  min: number;
  max: number;
}

/** Returns the numbers that a plot of a field shows: all numbers of its entries. */
function numbersIn(values: unknown, entries: number): Drawn {
  const numbers = [values].flat(5).filter((value): value is number => typeof value === 'number');
  return { entries, values: numbers.length, min: Math.min(...numbers), max: Math.max(...numbers) };
}

type Expected = Pick<Drawn, 'entries' | 'values'> & Partial<Drawn>;

async function expectDrawn(page: Page, field: string, wanted: Expected): Promise<void> {
  await page.getByRole('searchbox', { name: 'Filter the contents' }).fill(field);
  // Several fields may have the same name; this chooses the one that is not inside another.
  await row(page, field).and(page.locator('[aria-level="2"]')).click();
  await expect(page.getByRole('heading', { name: field, exact: true })).toBeVisible();
  await expect(page.locator('.plot canvas').first()).toBeVisible();
  const stat = async (label: string) => parseShown((await statistic(page, label).textContent()) ?? '');
  await expect.poll(() => stat('Entries')).toBe(wanted.values);
  if (wanted.min !== undefined) expect(await stat('Minimum')).toBeCloseTo(wanted.min, 3);
  if (wanted.max !== undefined) expect(await stat('Maximum')).toBeCloseTo(wanted.max, 3);
}

test('an RNTuple: its fields are listed and drawn like branches', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('ntuple_fields.root'));
  const { branches = {} } = readGolden('ntuple_fields').trees.n ?? {};
  for (const field of ['double32', 'rvec', 'n_points', 'deep', 'optionals']) {
    await test.step(field, () => expectDrawn(page, field, numbersIn(branches[field]?.values, 60)));
  }
});

for (const [name, fields] of samples) {
  test(`${name}.root opens and draws`, async ({ page }) => {
    const path = resolve(corpus, `${name}.root`);
    test.skip(!existsSync(path), 'the corpus is not here');
    const packed = readFileSync(resolve(corpus, '../expected', `${name}.json.gz`));
    const { trees } = JSON.parse(gunzipSync(packed).toString()) as Golden;
    await page.goto('/');
    await dropFile(page, path);
    const several = Object.keys(trees).length > 1;
    for (const [tree, { entries, branches }] of Object.entries(trees)) {
      const there = fields.filter((one) => branches[one] !== undefined);
      // The only tree of a file is open.
      if (several && there.length > 0) {
        await row(page, tree).click();
        await page.getByRole('tree').press('ArrowRight');
      }
      for (const field of there) {
        const wanted = { entries, values: branches[field]?.flat?.count ?? 0 };
        await test.step(field, () => expectDrawn(page, field, wanted));
      }
    }
  });
}
