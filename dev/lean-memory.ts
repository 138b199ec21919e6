/**
 * How the processes of an installation are kept small; `deploy/` passes the same to those that it starts.
 *
 * V8 would give a young generation of 64 MB each to whoever allocates fast, and let the old one grow to four times of
 * what is alive before it looks; the allocator of glibc keeps what was freed, in up to eight arenas for each core.
 * Together these are half of a busy process (`bench/README.md`).
 *
 * Pretenuring allocates directly in the old generation what often survived the young one. Under load the requests in
 * flight survive it, so V8 moves the garbage of every later request there too; the figures are in `bench/README.md`.
 */
export const leanNodeArguments: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
];

export const leanEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  // Both are the first values of what glibc raises by itself, up to 32 and 64 MB, unless they are set.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
