/**
 * `deploy/` uses the same settings; `bench/README.md` has the figures.
 *
 * By default, V8's young generation is 64 MB, its old one grows to four times its live size, and glibc keeps freed
 * memory in eight arenas per core. Pretenuring would move garbage of later requests to the old generation.
 */
export const leanNodeArguments: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
];

export const leanEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  // glibc's initial values. Setting them stops their growth up to 32 and 64 MB.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
