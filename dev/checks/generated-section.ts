export interface SectionMarkers {
  readonly begin: string;
  readonly end: string;
}

/** Returns undefined if the document lacks the markers. */
export function withSection(document: string, { begin, end }: SectionMarkers, text: string): string | undefined {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) return undefined;
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
