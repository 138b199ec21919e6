/**
 * Settings that keep the service's processes small; `deploy/` uses the same. `bench/README.md` has the figures.
 *
 * By default, V8 gives a process a young generation of 64 MB and lets the old one grow to four times its live size.
 * glibc keeps freed memory in up to eight arenas per core. Pretenuring would allocate the garbage of later requests in
 * the old generation, because requests in flight often survive the young one.
 */
export const leanNodeArguments: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
];

export const leanEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  // glibc's initial values. Setting them disables their automatic growth up to 32 and 64 MB.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
