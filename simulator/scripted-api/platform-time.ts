/** Whole seconds and an offset without a colon, as the platform writes times. */
export function platformTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000');
}
