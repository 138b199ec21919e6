/** Returns 0 unless the sequence is well-formed (RFC 3629, section 4). */
export function utf8SequenceLength(bytes: Uint8Array, at: number): 0 | 2 | 3 | 4 {
  const lead = bytes[at]!;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1];
  if (!isContinuation(second)) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(bytes[at + 2])) return 0;
  if (!isShortestForm(lead, second)) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes[at + 3]) ? 4 : 0;
}

function isShortestForm(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second <= 0x8f;
}

function isContinuation(byte: number | undefined): byte is number {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);

/** Requires bytes that the scanner accepted. */
export function decodeJsonString(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end;) {
    const byte = bytes[at]!;
    if (byte === 0x5c) {
      const letter = bytes[at + 1]!;
      const isUnicode = letter === 0x75;
      text += isUnicode
        ? String.fromCharCode(Number.parseInt(asciiText(bytes, at + 2, at + 6), 16))
        : (SHORT_ESCAPES.get(letter) ?? String.fromCharCode(letter));
      at += isUnicode ? 6 : 2;
    } else if (byte < 0x80) {
      text += String.fromCharCode(byte);
      at++;
    } else {
      const size = utf8SequenceLength(bytes, at);
      if (size === 0) throw new RangeError(`Invalid UTF-8 at byte ${at}. Scan the text first.`);
      text += String.fromCodePoint(codePoint(bytes, at, size));
      at += size;
    }
  }
  return text;
}

function codePoint(bytes: Uint8Array, at: number, size: number): number {
  let value = bytes[at]! & (0xff >> (size + 1));
  for (let offset = 1; offset < size; offset++) value = (value << 6) | (bytes[at + offset]! & 0x3f);
  return value;
}

export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
