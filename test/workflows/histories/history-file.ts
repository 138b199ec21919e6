/**
 * Converts histories to readable JSON. The SDK's own conversion does not work while npm installs two copies of its
 * protobuf library.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Replaces fields that identify the recording machine. */
const placeholders: Readonly<Record<string, string>> = {
  identity: 'recorder',
  stackTrace: '',
  workerInstanceKey: '',
  workerControlTaskQueue: '',
};

export function presentHistory(value: unknown): unknown {
  if (value instanceof Uint8Array) return presentBytes(Buffer.from(value));
  if (Array.isArray(value)) return value.map(presentHistory);
  if (typeof value !== 'object' || value === null) return value;
  if (isLong(value)) return Number(value.toString());
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const placeholder = placeholders[key];
      return [key, placeholder !== undefined && typeof inner === 'string' ? placeholder : presentHistory(inner)];
    }),
  );
}

export function parseHistory(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parseHistory);
  if (typeof value !== 'object' || value === null) return value;
  if ('utf8' in value && typeof value.utf8 === 'string') return Buffer.from(value.utf8, 'utf8');
  if ('base64' in value && typeof value.base64 === 'string') return Buffer.from(value.base64, 'base64');
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, parseHistory(inner)]));
}

export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

function presentBytes(bytes: Buffer): { readonly utf8: string } | { readonly base64: string } {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { utf8: text } : { base64: bytes.toString('base64') };
}

/** Integers of a history are far below 2^53. */
function isLong(value: object): boolean {
  return 'low' in value && 'high' in value && 'unsigned' in value;
}

/** Returns the paths of recorded histories by name. */
export function historyPaths(folder = import.meta.dirname): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => file.endsWith('.json'))
      .map((file) => [basename(file, '.json'), join(folder, file)]),
  );
}
