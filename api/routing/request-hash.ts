import { createHash } from 'node:crypto';
import { isJsonObject } from '../../contract/is-json-object.ts';

export function requestHash(content: unknown): Buffer {
  return sha256(canonicalJson(content));
}

export function keyHash(idempotencyKey: string): Buffer {
  return sha256(idempotencyKey);
}

/** Sorts the fields of objects, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isJsonObject(inner) ? sorted(inner) : inner));
}

function sorted(record: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
