export default {
  branches: { pt: 'Jet_pt' },
  begin: (job) => ({ pt: job.hist([100, 15, 215]) }),
  entry({ pt }, out) {
    for (const one of pt) out.pt.fill(one);
  },
};
