// node --import bench/usage.mjs PROGRAM: what the process took, as a last line of JSON on stderr.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const figures = { cpu_s: (userCPUTime + systemCPUTime) / 1e6, rss_mb: maxRSS / 1024 };
  writeSync(2, `${JSON.stringify(figures)}\n`);
});
