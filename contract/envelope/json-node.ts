/**
 * Reads a scanned JSON text by node: an index on the tape, or `ABSENT`, which all functions accept so that calls nest.
 * Names from the text never become property names.
 */
import { asciiText, decodeJsonString } from './json-text.ts';
import { jsonKind, STRIDE } from './json-tape.ts';
import type { JsonTape } from './json-tape.ts';

export const ABSENT = -1;
/** The limit of indexed columns. */
const MAX_ID_LENGTH = 512;
/** `\u0061`. Longer keys cannot match a name. */
const LONGEST_ESCAPE = 6;
/** PostgreSQL stores neither NUL nor lone surrogates. */
const UNSTORABLE = /[\0\ud800-\udfff]/u;

export function isObject(json: JsonTape, node: number): boolean {
  return json.cells[node] === jsonKind.object;
}

export function isArray(json: JsonTape, node: number): boolean {
  return json.cells[node] === jsonKind.array;
}

export function isContainer(json: JsonTape, node: number): boolean {
  return isObject(json, node) || isArray(json, node);
}

export function isNull(json: JsonTape, node: number): boolean {
  return json.cells[node] === jsonKind.literal && json.bytes[startOf(json, node)] === 0x6e;
}

/** The platform's flags are `true`, `"true"` or `1`, depending on the sender. */
export function isTrue(json: JsonTape, node: number): boolean {
  if (json.cells[node] === jsonKind.literal) return json.bytes[startOf(json, node)] === 0x74;
  const text = idText(json, node);
  return json.cells[node] === jsonKind.number ? text === '1' : text === 'true';
}

export function startOf(json: JsonTape, node: number): number {
  return json.cells[node + 1]!;
}

export function endOf(json: JsonTape, node: number): number {
  return json.cells[node + 2]!;
}

function afterOf(json: JsonTape, node: number): number {
  return json.cells[node + 3]!;
}

export function bytesOf(json: JsonTape, node: number): Uint8Array {
  return json.bytes.subarray(startOf(json, node), endOf(json, node));
}

export function elementsOf(json: JsonTape, node: number): number[] {
  const elements: number[] = [];
  if (!isArray(json, node)) return elements;
  for (let at = node + STRIDE; at < afterOf(json, node); at = afterOf(json, at)) elements.push(at);
  return elements;
}

export function keysOf(json: JsonTape, node: number): number[] {
  const keys: number[] = [];
  if (!isObject(json, node)) return keys;
  for (let at = node + STRIDE; at < afterOf(json, node); at = afterOf(json, at + STRIDE)) keys.push(at);
  return keys;
}

export function valueOfKey(key: number): number {
  return key === ABSENT ? ABSENT : key + STRIDE;
}

export function keyText(json: JsonTape, key: number): string {
  return decodeJsonString(json.bytes, startOf(json, key) + 1, endOf(json, key) - 1);
}

/** Compares after decoding escapes. The name must be ASCII. */
export function isKey(json: JsonTape, key: number, name: string): boolean {
  const { bytes } = json;
  const start = startOf(json, key) + 1;
  const end = endOf(json, key) - 1;
  const length = name.length;
  if (end - start < length || end - start > length * LONGEST_ESCAPE) return false;
  for (let index = 0; index < length; index++) {
    const byte = bytes[start + index]!;
    if (byte === 0x5c) return decodeJsonString(bytes, start, end) === name;
    if (byte !== name.charCodeAt(index)) return false;
  }
  return end - start === length;
}

export function child(json: JsonTape, node: number, name: string): number {
  let found = ABSENT;
  if (node === ABSENT || !isObject(json, node)) return found;
  const end = afterOf(json, node);
  for (let key = node + STRIDE; key < end; key = afterOf(json, key + STRIDE)) {
    if (isKey(json, key, name)) found = key + STRIDE;
  }
  return found;
}

/** Returns undefined if a name is repeated, because parsers disagree on which one counts. */
export function pickKeys(json: JsonTape, node: number, names: readonly string[]): number[] | undefined {
  const picked: number[] = [];
  for (let index = 0; index < names.length; index++) picked.push(ABSENT);
  if (!isObject(json, node)) return picked;
  const end = afterOf(json, node);
  for (let key = node + STRIDE; key < end; key = afterOf(json, key + STRIDE)) {
    for (let index = 0; index < names.length; index++) {
      if (!isKey(json, key, names[index]!)) continue;
      if (picked[index] !== ABSENT) return undefined;
      picked[index] = key;
    }
  }
  return picked;
}

/** Returns a string, or the digits of a number as written; null if it cannot be stored. */
export function idText(json: JsonTape, node: number): string | null {
  if (node === ABSENT) return null;
  const kind = json.cells[node];
  const start = startOf(json, node);
  const end = endOf(json, node);
  if (end - start > MAX_ID_LENGTH) return null;
  if (kind === jsonKind.number) return asciiText(json.bytes, start, end);
  if (kind !== jsonKind.string || end - start === 2) return null;
  const text = decodeJsonString(json.bytes, start + 1, end - 1);
  return UNSTORABLE.test(text) ? null : text;
}

export function agreedText(json: JsonTape, node: number, path: readonly string[]): string | null {
  let at = node;
  for (const name of path) {
    const keys = pickKeys(json, at, [name]);
    if (keys === undefined) return agreedByAll(json, node, path);
    at = valueOfKey(keys[0]!);
    if (at === ABSENT) return null;
  }
  return idText(json, at);
}

function agreedByAll(json: JsonTape, node: number, path: readonly string[]): string | null {
  const [name, ...rest] = path;
  if (name === undefined) return idText(json, node);
  const values = keysOf(json, node).filter((key) => isKey(json, key, name));
  const texts = new Set(values.map((key) => agreedByAll(json, valueOfKey(key), rest)));
  const [text = null] = texts;
  return texts.size === 1 ? text : null;
}
