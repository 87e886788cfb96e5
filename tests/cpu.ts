/** CPU time of this process so far, in ms: what a busy machine does not lengthen as it does the time by the clock. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
