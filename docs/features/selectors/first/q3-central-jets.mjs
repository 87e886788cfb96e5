export default {
  branches: { pt: 'Jet_pt', eta: 'Jet_eta' },
  begin: (job) => ({ pt: job.hist([100, 15, 215]) }),
  entry({ pt, eta }, out) {
    out.pt.fill(pt.filter((_, i) => Math.abs(eta[i]) < 1));
  },
};
