const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
const ASCII = /^[\x20-\x7e]*$/;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

export function cutText(text: string, maxWidth: number): string {
  if (textWidth(text) <= maxWidth) return text;
  let width = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > maxWidth - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Wraps anywhere, because JSON and tokens have few spaces. */
export function wrapText(text: string, maxWidth: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    let width = 0;
    for (const { segment } of graphemes.segment(line)) {
      width += widthOf(segment);
      if (width > maxWidth) {
        lines.push('');
        width = widthOf(segment);
      }
      lines[lines.length - 1] += segment;
    }
    return lines;
  });
}

export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function widthOf(segment: string): number {
  if (WIDE.test(segment)) return 2;
  return /^[\p{Mn}\p{Me}\u200b-\u200d]/u.test(segment) ? 0 : 1;
}
