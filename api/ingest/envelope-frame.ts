/**
 * Builds the envelope around one item of a batch. A frame decides what a tenant sees. It never keeps lists of items or
 * contacts whole. It keeps unknown members if all items below belong to one channel, otherwise only flat ones (scalars
 * or objects of scalars), which can't contain another tenant's item.
 */
import { endOf, isContainer, isObject, keysOf, startOf, valueOfKey } from '../../contract/envelope/json-node.ts';
import { STRIDE } from '../../contract/envelope/json-tape.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

/** One object on the path from the envelope to an item. */
export interface Level {
  readonly parent: Level | null;
  readonly object: number;
  /** The key of the member on that path. */
  readonly via: number;
  /** Keys of members that list other items. */
  readonly dropped: readonly number[];
  /** `ABSENT` without contacts. */
  readonly contacts: number;
  /** Undefined before the first item. */
  resourceId: string | null | undefined;
  /** Whether items of several channels are below. */
  isMixed: boolean;
  frame: Frame | undefined;
  knownContacts: KnownContacts | undefined;
}

/** The contacts of a level, by what names them. */
export interface KnownContacts {
  readonly all: readonly number[];
  readonly byId: ReadonlyMap<string, readonly number[]>;
  readonly idsOf: ReadonlyMap<number, readonly string[]>;
}

export function levelOf(level: Pick<Level, 'parent' | 'object' | 'via' | 'dropped' | 'contacts'>): Level {
  return { ...level, resourceId: undefined, isMixed: false, frame: undefined, knownContacts: undefined };
}

/** The place of the item's contacts. */
export const contactsHole = Symbol('contacts');
export type Piece = Uint8Array | typeof contactsHole;

export interface Frame {
  readonly before: readonly Piece[];
  readonly behind: readonly Piece[];
  readonly length: number;
}

export function markLevels(level: Level, resourceId: string | null): void {
  for (let at: Level | null = level; at !== null; at = at.parent) {
    if (at.resourceId === undefined) at.resourceId = resourceId;
    else if (at.resourceId !== resourceId) at.isMixed = true;
  }
}

export function frameOf(json: JsonTape, level: Level): Frame {
  level.frame ??= buildFrame(json, level);
  return level.frame;
}

function buildFrame(json: JsonTape, level: Level): Frame {
  const outer = level.parent === null ? EMPTY : frameOf(json, level.parent);
  const before: Piece[] = [...outer.before, OPEN_OBJECT];
  const behind: Piece[] = [];
  let side = before;
  for (const key of keysOf(json, level.object)) {
    if (key === level.via) {
      before.push(json.bytes.subarray(startOf(json, key), startOf(json, valueOfKey(key))));
      side = behind;
      continue;
    }
    if (key === level.contacts) side.push(contactsHole);
    else if (!staysBeside(json, level, key)) continue;
    else if (side === before) before.push(memberBytes(json, key), COMMA);
    else behind.push(COMMA, memberBytes(json, key));
  }
  if (!isObject(json, valueOfKey(level.via))) {
    before.push(OPEN_ARRAY);
    behind.unshift(CLOSE_ARRAY);
  }
  behind.push(CLOSE_OBJECT, ...outer.behind);
  return joinFrame({ before, behind });
}

const EMPTY: Frame = { before: [], behind: [], length: 0 };
const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const OPEN_OBJECT = ascii('{');
const CLOSE_OBJECT = ascii('}');
const OPEN_ARRAY = ascii('[');
const CLOSE_ARRAY = ascii(']');
const COMMA = ascii(',');

function memberBytes(json: JsonTape, key: number): Uint8Array {
  return json.bytes.subarray(startOf(json, key), endOf(json, valueOfKey(key)));
}

function staysBeside(json: JsonTape, level: Level, key: number): boolean {
  if (level.dropped.includes(key)) return false;
  return !level.isMixed || isFlat(json, valueOfKey(key));
}

function isFlat(json: JsonTape, node: number): boolean {
  if (!isContainer(json, node)) return true;
  return isObject(json, node) && keysOf(json, node).every((key) => !isContainer(json, valueOfKey(key)));
}

/** These members may contain another channel's data. */
export function withheldKeys(json: JsonTape, level: Level): number[] {
  if (!level.isMixed) return [];
  return keysOf(json, level.object).filter((key) => key !== level.via && !isFlat(json, valueOfKey(key)));
}

function joinFrame({ before, behind }: { before: readonly Piece[]; behind: readonly Piece[] }): Frame {
  const frame = { before: glue(before), behind: glue(behind) };
  let length = 0;
  for (const piece of [...frame.before, ...frame.behind]) if (piece !== contactsHole) length += piece.length;
  return { ...frame, length };
}

function glue(pieces: readonly Piece[]): Piece[] {
  const glued: Piece[] = [];
  let run: Uint8Array[] = [];
  for (const piece of pieces) {
    if (piece !== contactsHole) {
      run.push(piece);
      continue;
    }
    glued.push(concatBytes(run), piece);
    run = [];
  }
  glued.push(concatBytes(run));
  return glued;
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function cutEnvelope({ frame, item, contacts }: CutEnvelope): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const piece of frame.before) {
    if (piece !== contactsHole) parts.push(piece);
    else if (contacts !== undefined) parts.push(contacts, COMMA);
  }
  parts.push(item);
  for (const piece of frame.behind) {
    if (piece !== contactsHole) parts.push(piece);
    else if (contacts !== undefined) parts.push(COMMA, contacts);
  }
  return concatBytes(parts);
}

export interface CutEnvelope {
  readonly frame: Frame;
  readonly item: Uint8Array;
  readonly contacts: Uint8Array | undefined;
}

export function contactsMember(json: JsonTape, key: number, contacts: readonly number[]): Uint8Array {
  const parts = [json.bytes.subarray(startOf(json, key), startOf(json, key + STRIDE)), OPEN_ARRAY];
  for (const [index, contact] of contacts.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(json.bytes.subarray(startOf(json, contact), endOf(json, contact)));
  }
  parts.push(CLOSE_ARRAY);
  return concatBytes(parts);
}

export function cutMembers(json: JsonTape, keys: readonly number[]): Uint8Array {
  const parts: Uint8Array[] = [OPEN_OBJECT];
  for (const [index, key] of keys.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(memberBytes(json, key));
  }
  parts.push(CLOSE_OBJECT);
  return concatBytes(parts);
}
