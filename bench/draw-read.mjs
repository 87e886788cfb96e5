// The draw of bench/draw.mjs by the built library, in a process of its own: node bench/draw-read.mjs PATH TREE [WORKERS]
/** @type {typeof import('../web/node')} */
const { openReader } = await import(new URL('../dist/node.js', import.meta.url).href);

const [path = '', tree = '', workers] = process.argv.slice(2);
const reader = await openReader({ workers: workers === undefined ? undefined : Number(workers) });
const cpu = process.cpuUsage();
const start = performance.now();
const file = await reader.open({ kind: 'path', path });
const result = await reader.query(file.id, {
  tree,
  expr: 'Muon_pt*TMath::SinH(Muon_eta)+cos(Muon_phi)>>h(100,-200,200)',
  cut: 'Muon_pt>5',
});
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
reader.terminate();
if (result.kind !== 'filled' || result.partial) throw new Error('no whole histogram came');
const { fills, mean, stdDev } = result;
console.log(
  JSON.stringify({
    wall_s: wall / 1000,
    cpu_s: (user + system) / 1e6,
    fills,
    mean: mean[0],
    stdDev: stdDev[0],
  }),
);
