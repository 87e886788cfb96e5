// Missing transverse momentum of events with at least two jets above 40 GeV.
export default {
  branches: { met: 'MET_pt' },
  where: 'Sum$(Jet_pt > 40) >= 2',
  begin: (job) => ({ met: job.hist([100, 0, 200]) }),
  process: (columns, out) => out.met.fill(columns.met),
};
