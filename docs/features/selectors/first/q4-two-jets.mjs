export default {
  branches: { met: 'MET_pt', pt: 'Jet_pt' },
  begin: (job) => ({ met: job.hist([100, 0, 200]) }),
  entry({ met, pt }, out) {
    if (pt.filter((one) => one > 40).length >= 2) out.met.fill(met);
  },
};
