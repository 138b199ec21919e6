import { isExpandable, isHiddenField, MAX_DEPTH, MAX_FIELDS_LENGTH } from './fields.ts';

/**
 * Refuses parameters that would bypass the path: other objects, methods or credentials, and batches. The platform
 * accepts them in a query, form or JSON body, and lists as `name[0]`.
 */
const credentialNames: ReadonlySet<string> = new Set(['access_token', 'appsecret_proof', 'appsecret_time']);

const refusedNames: ReadonlySet<string> = new Set([
  // Other objects, and batches.
  ...['id', 'ids', 'batch', 'include', 'include_headers', 'relative_url'],
  // Overrides of the method.
  ...['method', '_method', 'http_method', 'x_http_method_override'],
  // Lists every edge of an object, as URLs with the token.
  ...['metadata', 'debug'],
  // Wraps the response in a script.
  ...['callback', 'jsonp'],
  // Other tokens, and the app secret.
  ...['input_token', 'client_id', 'client_secret', 'grant_type', 'fb_exchange_token', 'app_secret'],
]);

export type ParameterVerdict = 'credential' | 'refused' | 'fine';

/** Longer than any parameter name of the platform, brackets included. */
export const MAX_NAME_LENGTH = 256;

/** Judges every spelling that the platform may accept. */
export function classifyParameter(name: string): ParameterVerdict {
  // Form parsers disagree on unclosed brackets.
  if (name.lastIndexOf('[') > name.lastIndexOf(']')) return 'refused';
  const plain = plainName(name);
  if (credentialNames.has(plain)) return 'credential';
  return name.length > MAX_NAME_LENGTH || refusedNames.has(plain) ? 'refused' : 'fine';
}

export function plainName(name: string): string {
  const text = name.trimStart();
  const end = text.search(/[[\0]/);
  return (end < 0 ? text : text.slice(0, end)).trimEnd().replaceAll(/[ .-]/g, '_').toLowerCase();
}

export const methodHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/**
 * Removes fields that a channel token may not request, so that one of them does not fail the whole call: clients ask
 * for every field that an object has. What remains is still checked by `fieldsProblem`, which refuses what this does
 * not understand.
 */
interface PermittedQuery {
  readonly query: string;
  /** The names of the removed fields. */
  readonly dropped: readonly string[];
}

/** The platform would answer an empty list with its default fields. */
const LEAST_FIELD = 'id';

/** Keeps the text of all other parameters, and of a list that loses no field. */
export function permittedQuery(query: string): PermittedQuery {
  if (!/fields/i.test(query)) return { query, dropped: [] };
  const dropped: string[] = [];
  const pairs = query.split('&').map((pair) => {
    const [[name, value] = []] = new URLSearchParams(pair);
    if (name !== 'fields' || value === undefined || value.length > MAX_FIELDS_LENGTH) return pair;
    const before = dropped.length;
    const kept = permittedList(value, { depth: 0, dropped });
    return dropped.length === before ? pair : `fields=${encodeURIComponent(kept === '' ? LEAST_FIELD : kept)}`;
  });
  return { query: pairs.join('&'), dropped };
}

interface Listing {
  readonly depth: number;
  readonly dropped: string[];
}

function permittedList(list: string, { depth, dropped }: Listing): string {
  const kept = splitList(list).flatMap((item) => {
    const name = /\w+/.exec(item)?.[0] ?? '';
    const openAt = item.indexOf('{');
    if (isHiddenField(name) || (openAt >= 0 && !isExpandable(name))) {
      dropped.push(name);
      return [];
    }
    const closeAt = item.lastIndexOf('}');
    if (openAt < 0 || closeAt < openAt || depth >= MAX_DEPTH) return [item];
    const inner = permittedList(item.slice(openAt + 1, closeAt), { depth: depth + 1, dropped });
    return [`${item.slice(0, openAt + 1)}${inner === '' ? LEAST_FIELD : inner}${item.slice(closeAt)}`];
  });
  return kept.join(',');
}

/** Splits at commas outside of braces and modifiers. */
function splitList(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at);
    if (character === '{' || character === '(') depth++;
    else if (character === '}' || character === ')') depth--;
    else if (character === ',' && depth === 0) {
      items.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...items, list.slice(from)];
}
