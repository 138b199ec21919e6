/** The platform's form: whole seconds and an offset without a colon. */
export function platformTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000');
}
