import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  brushesOf,
  formatBoardParams,
  newChip,
  parseBoardParams,
} from '../../../web/features/boards/view/board-params';
import { chipsOfCut } from '../../../web/features/boards/work/chips';
import { loopsOf } from '../../../web/features/boards/work/insight';
import { loadBoard } from '../../../web/features/boards/work/load';
import { withReader } from '../../engine-reader';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();

/** Cuts, and the chips that they become: each as the text of its selection with what it asks for. */
const CUTS: readonly [cut: string, ...chips: string[]][] = [
  ['nMuon==2 && Muon_pt[0]>25', 'ranges nMuon', 'ranges Muon_pt[0]'],
  ['nMuon>=2 && nMuon<4', 'ranges nMuon'],
  ['20<MET_pt&&MET_pt<=50', 'ranges MET_pt'],
  ['(MET_pt>20) && !(nMuon==2)', 'ranges MET_pt', 'not ranges nMuon'],
  ['Sum$(Muon_pt>20)>=2', '2 ranges Muon_pt'],
  ['Sum$(!(Muon_pt>20))==0', 'all ranges Muon_pt'],
  ['Sum$(!(!(Muon_pt>20)))==0', 'all not ranges Muon_pt'],
  ['Muon_pt>20 && Muon_pt<50 && nMuon==2', 'ranges nMuon', 'ranges Muon_pt'],
  ['Muon_pt>20 && abs(Muon_eta)<1', 'text (Muon_pt>20) && (abs(Muon_eta)<1)'],
  ['Muon_pt>20 && Muon_eta<1', 'ranges Muon_eta Muon_pt'],
  ['trigger=="HLT_IsoMu24" || trigger=="HLT_Dimuon10_Upsilon"', 'labels trigger'],
  ['MET_pt>20 || nMuon==2', 'text MET_pt>20 || nMuon==2'],
  ['sqrt(MET_pt)+1 > -3', 'ranges sqrt(MET_pt)+1'],
  ['(MET_pt+1)*(MET_phi+2)>3', 'ranges (MET_pt+1)*(MET_phi+2)'],
  ['MET_pt', 'text MET_pt'],
  [''],
];

const MAPS = [['Muon_eta', 'Muon_pt']];

test('a cut becomes chips, which select what TTree::Draw selects by it, and whose text is read as the same chips', async () => {
  const info = await reader.open({ kind: 'path', path: sample });
  const loops = (exprs: readonly string[]) =>
    loopsOf({ reader, layoutOf: (file, tree) => reader.layout(file, tree) }, info.id, 'Events', exprs);
  for (const [cut, ...expected] of CUTS) {
    const found = await chipsOfCut(cut, loops, MAPS);
    const told = found.map(({ selects, inverted, asks }) =>
      [
        ...(asks === 'all' ? ['all'] : asks.least > 1 ? [asks.least] : []),
        ...(inverted ? ['not'] : []),
        selects.kind,
        selects.kind === 'text' ? selects.text : selects.exprs.join(' '),
      ].join(' '),
    );
    expect([cut, told]).toEqual([cut, expected]);
    const chips = found.map(({ selects, ...choices }) => ({ ...newChip(selects), ...choices }));
    const more = chips.flatMap(({ selects }) => (selects.kind === 'text' ? [selects.text] : selects.exprs));
    const { board, plots } = await loadBoard(reader, info.id, {
      tree: 'Events',
      plots: [{ expr: 'nMuon' }, { expr: 'Muon_pt:Muon_eta' }],
      more,
    });
    const columns = board.columns.map(({ expr, labels, starts }) => ({
      expr,
      labels,
      isList: starts !== undefined,
    }));
    const opened = { id: 1, entries: board.entries, columns, plots, state: board.state() };
    board.brush(brushesOf(chips, opened));
    const { counted } = await reader.scan(info.id, {
      ...{ tree: 'Events', columns: '1', cut: cut === '' ? '1' : `Sum$((${cut})!=0)>0`, count: true },
    });
    expect([cut, board.state().selected]).toEqual([cut, counted?.entries]);
    expect([cut, await chipsOfCut(board.cut(), loops, MAPS)]).toEqual([cut, found]);
    const fits = { nMuon: 'gaus', 'Muon_pt.@size()': 'pol1' };
    const params = { plots: ['nMuon'], weight: '', follows: false, chips, fits };
    expect(parseBoardParams(formatBoardParams(params))).toEqual(params);
  }
});

test('a cut with a mistake says where it is', async () => {
  const loops = async (exprs: readonly string[]) => exprs.map(() => false);
  await expect(chipsOfCut('nMuon==', loops)).rejects.toMatchObject({
    code: 'ARGUMENT',
    where: { offset: 7 },
  });
});

test('links with nonsense', () => {
  const { chips } = parseBoardParams(
    'chip=:&chip=x:nMuon&chip=not,least0:nMuon>1&chip=:nMuon>&chip=least99999:nMuon>2&chip',
  );
  expect(chips.map(({ selects, inverted, asks }) => [selects.kind, inverted, asks])).toEqual([
    ['ranges', true, { least: 1 }],
  ]);
});
