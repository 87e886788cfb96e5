import { describe, expect, it } from 'vitest';
import { treemapCells } from '../../../web/features/doctor/view/layout-view';
import type { BranchStats, TreeStats } from '../../../web/reads/layout-stats';
import { shortPath } from '../../../web/ui/widgets/name-text';

describe('a path for a narrow place', () => {
  it.each([
    ['Muon_pt', 'Muon_pt'],
    ['jets./jets.obj/jets.obj.pt', 'jets.obj.pt'],
    ['CaloTower./CaloTower.obj/CaloTower.obj.et', 'CaloTower.obj.et'],
    ['event/tracks/fX', 'event/tracks/fX'],
  ])('%s is %s', (path, wanted) => {
    expect(shortPath(path)).toBe(wanted);
  });

  it('is cut in its middle where it is long, so that neighbours differ', () => {
    const of = (member: string) => shortPath(`${'recoCaloJets_antikt10_calo_'.repeat(3)}obj.${member}`);
    for (const member of ['eta', 'phi']) {
      expect(of(member)).toHaveLength(56);
      expect(of(member).endsWith(`obj.${member}`)).toBe(true);
    }
    expect(of('eta')).not.toBe(of('phi'));
  });
});

it('the treemap names collections above their branches, and what does not fit is cut', () => {
  const branches = ['Jet', 'B0_ENDVERTEX'].flatMap((collection) =>
    ['pt', 'a_name_that_is_long_for_its_place_in_a_map'].map((name, i) => {
      const path = `${collection}_${name}`;
      return { path, collection, storedBytes: 1000 - 300 * i, factor: 2, baskets: 1 } as BranchStats;
    }),
  );
  const { cells, collections } = treemapCells({ branches } as TreeStats, false);
  expect(collections.map(({ name }) => name)).toEqual(['Jet', 'B0_ENDVERTEX']);
  const labels = cells.map(({ label }) => label);
  expect(labels).toContain('pt');
  expect(labels.some((label) => label.includes('…'))).toBe(true);
  expect(labels).not.toContain('');
});
