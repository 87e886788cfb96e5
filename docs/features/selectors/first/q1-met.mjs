export default {
  branches: { met: 'MET_pt' },
  begin: (job) => ({ met: job.hist([100, 0, 200]) }),
  entry({ met }, out) {
    out.met.fill(met);
  },
};
