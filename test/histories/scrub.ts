/** What says which machine recorded a history, and nothing about what happened. */
const placeholders: Readonly<Record<string, string>> = {
  identity: 'recorder',
  stackTrace: '',
  workerInstanceKey: '',
  workerControlTaskQueue: '',
};

/** A copy of a history as JSON without the recording machine's names and paths. */
export function scrubHistory(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scrubHistory);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const placeholder = placeholders[key];
      return [key, placeholder !== undefined && typeof inner === 'string' ? placeholder : scrubHistory(inner)];
    }),
  );
}

/** Every text of a history, payloads decoded, one after the other: what a search for secrets goes through. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, Buffer.from(value, 'base64').toString('utf8')];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}
