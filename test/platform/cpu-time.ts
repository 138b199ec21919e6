/** Returns the lowest CPU time of several runs, so that other load does not count. */
export function leastCpuMs(act: () => void, { enoughMs }: { readonly enoughMs: number }): number {
  let leastMs = Number.POSITIVE_INFINITY;
  // The first try may compile, and any try may collect garbage.
  for (let count = 0; count < 5 && leastMs >= enoughMs; count++) {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1000);
  }
  return leastMs;
}
