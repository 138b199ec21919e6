/** More than any call takes. 1 MiB of small values costs ten times the processor time of a long text. */
const MAX_VALUES = 20_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Counts what separates and opens values, outside of texts, so that a body is refused before it is parsed. */
export function hasTooManyValues(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= MAX_VALUES; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  }
  return count > MAX_VALUES;
}

export const tooManyValuesText = `The body has too many values. Send at most ${MAX_VALUES} values.`;

function endOfText(bytes: Uint8Array, start: number): number {
  let end = start;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
  } while (isEscaped(bytes, end));
  return end;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
