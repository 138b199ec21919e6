/**
 * Checks the `fields` parameter: names, sub-selections in braces, and modifiers such as `.limit(5)`. One pass over
 * bounded input keeps the cost linear.
 */
export const MAX_FIELDS_LENGTH = 8 * 1024;
/** Deeper than any selection that the platform accepts. */
export const MAX_DEPTH = 16;

const expandable: ReadonlySet<string> = new Set([
  ...['from', 'to', 'user', 'owner', 'parent', 'object', 'place', 'location', 'target', 'error'],
  ...['message', 'messages', 'participants', 'senders', 'conversations', 'tags', 'shares', 'sharedposts'],
  ...['comments', 'replies', 'reactions', 'likes', 'attachments', 'subattachments', 'attachment', 'data', 'media'],
  ...['children', 'insights', 'values', 'stories', 'live_media', 'posts', 'feed', 'published_posts', 'scheduled_posts'],
  ...[
    'visitor_posts',
    'tagged',
    'photos',
    'videos',
    'video_reels',
    'thumbnails',
    'picture',
    'cover',
    'images',
    'image',
  ],
  ...[
    'status',
    'format',
    'components',
    'config',
    'mentioned_comment',
    'mentioned_media',
    'throughput',
    'health_status',
  ],
]);

const hiddenFields: ReadonlySet<string> = new Set([
  ...['roles', 'accounts', 'apps', 'subscribed_apps', 'businesses', 'agencies', 'assigned_users', 'business_users'],
  ...['system_users', 'adaccounts', 'business_discovery', 'owner_business', 'owner_business_info'],
  ...['on_behalf_of_business_info', 'primary_funding_id', 'phone_numbers', 'blocked', 'settings', 'certificate'],
  ...['new_certificate', 'webhook_configuration', 'leadgen_forms', 'personas'],
]);
const hiddenParts = ['token', 'secret', 'password', 'credential'];

/** Every character belongs to exactly one token. */
const TOKENS = /\w+|\s+|[^]/g;
const WORD = /^\w/;
const SPACE = /^\s/;
const PUNCTUATION: ReadonlySet<string> = new Set(',|:;"\'[]@+-');

/** Returns why a channel token may not request these fields, or undefined. */
export function fieldsProblem(fields: string): string | undefined {
  if (fields.length > MAX_FIELDS_LENGTH)
    return `the list is longer than ${MAX_FIELDS_LENGTH} characters. Request fewer fields`;
  const tokens = fields.match(TOKENS) ?? [];
  const hidden = tokens.find(isHiddenField);
  if (hidden !== undefined) return `the field ${shortened(hidden)} is not available. Remove it`;
  return selectionProblem(tokens);
}

function selectionProblem(tokens: readonly string[]): string | undefined {
  let depth = 0;
  // The last word before its modifiers, which a brace would expand.
  let name = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (WORD.test(token)) {
      name = token;
    } else if (token === '.') {
      const modifier = readModifier(tokens, at);
      if ('problem' in modifier) return modifier.problem;
      at = modifier.endsAt;
    } else if (token === '{') {
      if (!isExpandable(name)) return `the field ${shortened(name)} cannot be expanded. Request it without braces`;
      if (++depth > MAX_DEPTH) return `the list of fields is nested too deeply. Use at most ${MAX_DEPTH} levels`;
      name = '';
    } else if (!SPACE.test(token)) {
      if (token === '}' ? --depth < 0 : !PUNCTUATION.has(token)) return MALFORMED;
      name = '';
    }
  }
  return depth === 0 ? undefined : MALFORMED;
}

const MALFORMED = 'the list is malformed. Use names separated by commas, such as id,from{name}';

function readModifier(
  tokens: readonly string[],
  dotAt: number,
): { readonly endsAt: number } | { readonly problem: string } {
  const nameAt = skipSpace(tokens, dotAt + 1);
  const openAt = skipSpace(tokens, nameAt + 1);
  const modifier = tokens[nameAt] ?? '';
  if (!WORD.test(modifier) || tokens[openAt] !== '(') return { problem: MALFORMED };
  if (modifier.toLowerCase() === 'as') return { problem: 'fields cannot be renamed. Remove the as modifier' };
  if (modifier.toLowerCase() === 'fields')
    return { problem: 'the fields modifier is not supported. Use braces for sub-selections' };
  for (let at = openAt + 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token === ')') {
      return WORD.test(tokens[at + 1] ?? '') ? { problem: MALFORMED } : { endsAt: at };
    }
    const isArgument = WORD.test(token) || SPACE.test(token) || token === '.' || PUNCTUATION.has(token);
    if (!isArgument) return { problem: MALFORMED };
  }
  return { problem: MALFORMED };
}

export function isExpandable(name: string): boolean {
  return expandable.has(name.toLowerCase());
}

function skipSpace(tokens: readonly string[], at: number): number {
  return SPACE.test(tokens[at] ?? '') ? at + 1 : at;
}

export function isHiddenField(token: string): boolean {
  const name = token.toLowerCase();
  if (hiddenFields.has(name) || hiddenParts.some((part) => name.includes(part))) return true;
  return name.endsWith('_businesses') || name.startsWith('owned_') || name.startsWith('client_');
}

function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
