// Missing transverse momentum of all events.
export default {
  branches: { met: 'MET_pt' },
  begin: (job) => ({ met: job.hist([100, 0, 200]) }),
  process: (columns, out) => out.met.fill(columns.met),
};
