/**
 * A strict JSON scanner over raw bytes. It accepts the same valid UTF-8 as `JSON.parse` and returns spans instead of
 * values, so that parts of a document can be cut out byte by byte.
 *
 * The tape lists the nodes in document order with `STRIDE` numbers each: kind, start, end (exclusive), and the index after
 * the node's subtree. A member of an object is a node of kind `key` followed by its value. The third number of an open
 * container is its parent, so nesting needs no stack.
 */
import { utf8SequenceLength } from './json-text.ts';

export const STRIDE = 4;
export const jsonKind = { object: 1, array: 2, string: 3, number: 4, literal: 5, key: 6 } as const;

export interface JsonTape {
  readonly bytes: Uint8Array;
  readonly cells: readonly number[];
}

export interface JsonFault {
  readonly faultAtByte: number;
}

const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

export function scanJson(bytes: Uint8Array): JsonTape | JsonFault {
  const length = bytes.length;
  const cells: number[] = [];
  let at = 0;
  let parent = -1;

  function skipSpace(): number {
    let byte = bytes[at]!;
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at]!;
    return byte;
  }

  function leaf(kind: number, start: number): void {
    cells.push(kind, start, at, cells.length + STRIDE);
  }

  function open(kind: number): void {
    const node = cells.length;
    cells.push(kind, at++, parent, 0);
    parent = node;
  }

  function close(): void {
    const node = parent;
    parent = cells[node + 2]!;
    cells[node + 2] = ++at;
    cells[node + 3] = cells.length;
  }

  function scanString(kind: number): boolean {
    const start = at++;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined || byte < 0x20) return false;
      if (byte === 0x22) break;
      if (byte === 0x5c) {
        if (!skipEscape()) return false;
      } else if (byte < 0x80) {
        at++;
      } else {
        const size = utf8SequenceLength(bytes, at);
        if (size === 0) return false;
        at += size;
      }
    }
    at++;
    leaf(kind, start);
    return true;
  }

  function skipEscape(): boolean {
    const letter = bytes[at + 1];
    if (letter !== 0x75) {
      at += 2;
      return letter !== undefined && ESCAPABLE.has(letter);
    }
    for (let offset = 2; offset < 6; offset++) if (!isHex(bytes[at + offset])) return false;
    at += 6;
    return true;
  }

  function skipDigits(): boolean {
    const start = at;
    while (isDigit(bytes[at])) at++;
    return at > start;
  }

  function scanNumber(): boolean {
    const start = at;
    if (bytes[at] === 0x2d) at++;
    if (bytes[at] === 0x30) at++;
    else if (!skipDigits()) return false;
    if (bytes[at] === 0x2e) {
      at++;
      if (!skipDigits()) return false;
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      at++;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
      if (!skipDigits()) return false;
    }
    leaf(jsonKind.number, start);
    return true;
  }

  function scanLiteral(word: readonly number[]): boolean {
    const start = at;
    for (const letter of word) if (bytes[at++] !== letter) return false;
    leaf(jsonKind.literal, start);
    return true;
  }

  function scanScalar(byte: number): boolean {
    if (byte === 0x22) return scanString(jsonKind.string);
    if (byte === 0x74) return scanLiteral(TRUE);
    if (byte === 0x66) return scanLiteral(FALSE);
    if (byte === 0x6e) return scanLiteral(NULL);
    return scanNumber();
  }

  function scanKey(): boolean {
    if (skipSpace() !== 0x22 || !scanString(jsonKind.key) || skipSpace() !== 0x3a) return false;
    at++;
    return true;
  }

  function enterValue(): 'entered' | 'ended' | 'fault' {
    const byte = skipSpace();
    if (byte !== 0x7b && byte !== 0x5b) return scanScalar(byte) ? 'ended' : 'fault';
    open(byte === 0x7b ? jsonKind.object : jsonKind.array);
    if (skipSpace() === byte + 2) {
      close();
      return 'ended';
    }
    return byte === 0x5b || scanKey() ? 'entered' : 'fault';
  }

  /** Returns true if another value must follow. */
  function leaveValues(): boolean | 'fault' {
    while (parent !== -1) {
      const isObject = cells[parent] === jsonKind.object;
      const byte = skipSpace();
      if (byte === 0x2c) {
        at++;
        return !isObject || scanKey() ? true : 'fault';
      }
      if (byte !== (isObject ? 0x7d : 0x5d)) return 'fault';
      close();
    }
    return false;
  }

  function scanText(): JsonTape | JsonFault {
    for (let more = true; more;) {
      const entered = enterValue();
      if (entered === 'entered') continue;
      const left = entered === 'ended' ? leaveValues() : entered;
      if (left === 'fault') return { faultAtByte: Math.min(at, length) };
      more = left;
    }
    skipSpace();
    return at === length ? { bytes, cells } : { faultAtByte: at };
  }

  return scanText();
}

/** `" \ / b f n r t` */
const ESCAPABLE: ReadonlySet<number> = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
