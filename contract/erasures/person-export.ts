const LAST_LINE = '{"type":"end"';
/** Longer than the last line. */
export const EXPORT_TAIL_BYTES = 1_000;

/** Tells from the end of a person's export whether it is complete. */
export function isExportComplete(tail: string): boolean {
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return tail.endsWith('\n') && last.startsWith(LAST_LINE);
}
