import { createHash } from 'node:crypto';

export function requestHash(content: unknown): Buffer {
  return sha256(canonicalJson(content));
}

export function keyHash(idempotencyKey: string): Buffer {
  return sha256(idempotencyKey);
}

/** Sorts the fields of objects, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isPlain(inner) ? sorted(inner) : inner));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(record: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
