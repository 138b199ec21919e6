import { padText, textWidth, wrapText } from './text-width.ts';

const DIVIDER = ' │ ';

export function sideBySide(left: string, right: string, width: number): string {
  const half = Math.floor((width - DIVIDER.length) / 2);
  const leftLines = wrapText(left, half);
  const rightLines = wrapText(right, half);
  const column = Math.max(...leftLines.map(textWidth), 0);
  const count = Math.max(leftLines.length, rightLines.length);
  return Array.from({ length: count }, (_, index) =>
    `${padText(leftLines[index] ?? '', column)}${DIVIDER}${rightLines[index] ?? ''}`.trimEnd(),
  ).join('\n');
}
