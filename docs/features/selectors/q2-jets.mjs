// Transverse momentum of all jets.
export default {
  branches: { pt: 'Jet_pt' },
  begin: (job) => ({ pt: job.hist([100, 15, 215]) }),
  process: (columns, out) => out.pt.fill(columns.pt.values),
};
