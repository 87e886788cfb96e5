// Draws the pictures of docs/features/figures.md with the command line in dist: node scripts/figures.mjs
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, root, runMain } from './run.mjs';

const mass = ['Events', 'Dimuon_mass'];
const label = { text: 'Preliminary', luminosity: 138, energy: 13 };
const x = { title: 'm_{#mu#mu} [GeV]' };
const layers = ['--layer', 'cut=nMuon==3; label=Three muons', '--layer', 'cut=nMuon>1; label=Data'];

/** @type {Record<string, { words: string[], style: object }>} */
const pictures = {
  stack: {
    words: [...mass, 'nMuon==2', '--hist', '30,60,120', '--label', 'Two muons', ...layers],
    style: {
      ...{ preset: 'cms', column: 'double', aspect: 0.55, x, label: { ...label, text: 'Private Work' } },
      legend: { title: 'Z #rightarrow #mu#mu' },
      ratio: { show: 'ratio', range: [0.5, 1.5], title: 'Data / MC', band: true },
      layers: [{ as: 'stacked' }, { as: 'stacked' }, { as: 'points', colour: '#000000' }],
    },
  },
  cms: {
    words: [...mass, '--hist', '30,60,120'],
    style: { preset: 'cms', x, label, layers: [{ as: 'points', label: 'Data', colour: '#000000' }] },
  },
  atlas: {
    words: [
      ...mass,
      '--hist',
      '30,60,120',
      '--label',
      'All',
      '--layer',
      'cut=nMuon==2; label=Two muons',
      '--ratio',
    ],
    style: { preset: 'atlas', aspect: 0.78, x, label: { ...label, text: 'Internal' } },
  },
  lhcb: {
    words: [...mass, '--hist', '30,60,120', '--log'],
    style: { preset: 'lhcb', x, label, bands: { statistics: 'filled' }, layers: [{ label: 'All' }] },
  },
  alice: {
    words: ['Events', 'Muon_eta:Muon_phi', '--hist', '16,-3.2,3.2,12,-2.4,2.4'],
    style: {
      preset: 'alice',
      x: { title: '#varphi' },
      y: { title: '#eta' },
      z: { title: 'Muons' },
      label: { text: 'Performance' },
    },
  },
  belle2: {
    words: ['Events', 'MET_pt:PV_npvs', '--option', 'prof', '--hist', '20,0,60'],
    style: {
      preset: 'belle2',
      x: { title: 'Vertices' },
      y: { title: '#LTE_{T}^{miss}#GT [GeV]' },
      label: { text: 'Simulation' },
    },
  },
};

await runMain(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-figures-'));
  try {
    for (const [name, { words, style }] of Object.entries(pictures)) {
      const file = join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(style));
      const out = join(root, `docs/pictures/figure-${name}.svg`);
      const line = ['draw', 'public/sample.root', ...words, '--style', file, '--svg', out];
      await must(`Drawing ${name}`, 'node', ['dist/cli/xylem.js', ...line]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
