import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Cutflow } from '../../../web/features/cutflow/work/flow';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

// Cutflows of the Analysis Description Benchmarks equal Report() of RDataFrame, as far as cuts say their selections.

const judge = join(import.meta.dirname, 'judge/adl.py');
const reader = withReader();

const MASS = 'sqrt(2*Muon_pt[0]*Muon_pt[1]*(cosh(Muon_eta[0]-Muon_eta[1])-cos(Muon_phi[0]-Muon_phi[1])))';
const QUERIES: Record<string, string[]> = {
  Q3: ['abs(Jet_eta)<1'],
  Q4: ['Sum$(Jet_pt>40)>=2'],
  Q5: ['nMuon>=2'],
  'Q5, two muons': ['nMuon==2', 'Muon_charge[0]*Muon_charge[1]<0', `${MASS}>60 && ${MASS}<120`],
  Q6: ['nJet>=3'],
  Q7: ['Sum$(Jet_pt>30)>=1'],
  Q8: ['nMuon+nElectron>=3'],
};

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'cutflows of the benchmarks are those of RDataFrame',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-adl-'));
    try {
      const printed = execFileSync(oraclePython ?? '', ['-W', 'ignore', judge], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });
      const reports = JSON.parse(printed.slice(printed.indexOf('{'))) as Record<string, number[]>;
      for (const [query, cuts] of Object.entries(QUERIES)) {
        const { out } = await run(reader, 'cutflow', '--json', join(folder, 'adl.root'), 'Events', ...cuts);
        const [flow] = (JSON.parse(out) as Cutflow).samples;
        const entries = [flow?.all, ...(flow?.steps.map(({ left }) => left) ?? [])].map(
          (one) => one?.entries,
        );
        expect(entries, query).toEqual(reports[query]);
        expect(entries.at(-1), query).toBeGreaterThan(0);
      }
      for (const query of ['Q1', 'Q2']) expect(reports[query]).toEqual([3000]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  180_000,
);
