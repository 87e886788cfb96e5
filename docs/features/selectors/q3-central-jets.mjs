// Transverse momentum of jets with |eta| < 1.
export default {
  branches: { pt: 'Jet_pt', eta: 'Jet_eta' },
  begin: (job) => ({ pt: job.hist([100, 15, 215]) }),
  process({ pt, eta }, out) {
    out.pt.fill(pt.values.filter((_, i) => Math.abs(eta.values[i]) < 1));
  },
};
