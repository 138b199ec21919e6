/** The platform's format: whole seconds, offset without colon. */
export function platformTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000');
}
