/** The part of an event that a person wants to see in a list: its text, or else what kind of thing it is. */

/** In the order of preference. `type` is last: a picture without a caption is shown as `[image]`. */
const TEXT_KEYS = ['body', 'text', 'caption', 'message', 'title', 'filename', 'emoji', 'status', 'note'] as const;
const KIND_KEY = 'type';
const MAX_PREVIEW = 140;
/** Bounds the work on a body with very many values. No message has as many. */
const MAX_VALUES = 10_000;

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
  return folded(
    stringsOf(body)
      .map((one) => one.text)
      .join(BETWEEN),
  ).includes(folded(text));
}

/** Searched texts have no control characters. */
const BETWEEN = '\0';

/** Text has no use for longer runs, and normalization sorts a run in quadratic time (UAX #15, stream-safe format). */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

const folded = (text: string): string => text.replace(MANY_MARKS, '$1').normalize('NFC').toLowerCase();

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_PREVIEW ? text : `${characters.slice(0, MAX_PREVIEW - 1).join('')}…`;
}

interface KeyedText {
  /** Of the nearest object. */
  readonly key: string;
  readonly text: string;
}

interface OpenValue {
  readonly key: string;
  readonly values: readonly unknown[];
  /** Undefined for an array, whose values have its own key. */
  readonly names: readonly string[] | undefined;
  next: number;
}

/** In document order, without recursion. Numbers count as their digits. */
function stringsOf(body: string): KeyedText[] {
  const texts: KeyedText[] = [];
  const open: OpenValue[] = [{ key: '', values: [parsed(body)], names: undefined, next: 0 }];
  for (let count = 0; count < MAX_VALUES; count++) {
    while (open.length > 0 && open.at(-1)!.next === open.at(-1)!.values.length) open.pop();
    const last = open.at(-1);
    if (!last) break;
    const { [last.next]: value } = last.values;
    const key = last.names?.[last.next] ?? last.key;
    last.next++;
    if (typeof value === 'string') texts.push({ key, text: value });
    else if (typeof value === 'number') texts.push({ key: '', text: String(value) });
    else if (Array.isArray(value)) open.push({ key, values: value, names: undefined, next: 0 });
    else if (typeof value === 'object' && value !== null) {
      open.push({ key, values: Object.values(value), names: Object.keys(value), next: 0 });
    }
  }
  return texts;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
