/** The part of an event that a person wants to see in a list: its text, or else what kind of thing it is. */

/** In the order of preference. `type` is last: a picture without a caption is shown as `[image]`. */
const TEXT_KEYS = ['body', 'text', 'caption', 'message', 'title', 'filename', 'emoji', 'status', 'note'] as const;
const KIND_KEY = 'type';
const MAX_PREVIEW = 140;
/** Bounds the work on a body with very many values. */
const MAX_VALUES = 20_000;

/** Returns null if the body is not JSON or has no text. */
export function previewOf(body: string): string | null {
  const found = new Map<string, string>();
  for (const { key, text } of stringsOf(body)) if (!found.has(key)) found.set(key, text);
  for (const key of TEXT_KEYS) {
    const text = found.get(key)?.replace(/\s+/g, ' ').trim();
    if (text !== undefined && text !== '') return shorten(text);
  }
  const kind = found.get(KIND_KEY);
  return kind === undefined ? null : shorten(`[${kind}]`);
}

/** Compares letters in either case, in all strings of the body, however they are escaped. */
export function containsText(body: string, text: string): boolean {
  const wanted = folded(text);
  for (const { text: one } of stringsOf(body)) if (folded(one).includes(wanted)) return true;
  return false;
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_PREVIEW ? text : `${characters.slice(0, MAX_PREVIEW - 1).join('')}…`;
}

interface KeyedText {
  /** Of the nearest object. */
  readonly key: string;
  readonly text: string;
}

/** In document order, without recursion. Numbers count as their digits. */
function* stringsOf(body: string): Generator<KeyedText> {
  const waiting: { readonly key: string; readonly value: unknown }[] = [{ key: '', value: parsed(body) }];
  for (let count = 0; count < MAX_VALUES; count++) {
    const next = waiting.pop();
    if (!next) return;
    const { key, value } = next;
    if (typeof value === 'string') yield { key, text: value };
    else if (typeof value === 'number') yield { key: '', text: String(value) };
    else if (Array.isArray(value)) waiting.push(...value.map((one: unknown) => ({ key, value: one })).reverse());
    else if (typeof value === 'object' && value !== null) {
      waiting.push(
        ...Object.entries(value)
          .map(([name, one]) => ({ key: name, value: one as unknown }))
          .reverse(),
      );
    }
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
