/** Parses a `datetime-local` value in the reader's time zone. Returns null for a partial one. */
export function parseLocalTime(text: string | null): string | null {
  if (!text) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
