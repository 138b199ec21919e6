/** The instant that a `datetime-local` field names, in the reader's time zone; null for none or half of one. */
export function instantOfLocal(text: string | null): string | null {
  if (!text) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
