/**
 * Parameters of calls that would reach around the path: other objects, other methods, other credentials, many calls in
 * one. The platform takes a parameter from the query, a form or a JSON body alike, and lists also as `name[0]`.
 */
const credentialNames: ReadonlySet<string> = new Set(['access_token', 'appsecret_proof', 'appsecret_time']);

const refusedNames: ReadonlySet<string> = new Set([
  // Other objects, or many calls in one.
  ...['id', 'ids', 'batch', 'include', 'include_headers', 'relative_url'],
  // Another method than the request's.
  ...['method', '_method', 'http_method', 'x_http_method_override'],
  // Lists every edge of an object, as addresses with the token in them.
  ...['metadata', 'debug'],
  // Wraps the answer into a script.
  ...['callback', 'jsonp'],
  // Other tokens, and the app's own secret.
  ...['input_token', 'client_id', 'client_secret', 'grant_type', 'fb_exchange_token', 'app_secret'],
]);

export type ParameterVerdict = 'credential' | 'refused' | 'fine';

/** Judges a parameter by its name, in whatever spelling the platform may read it. */
export function judgeParameter(name: string): ParameterVerdict {
  // Readers of forms differ in what a bracket that stays open is.
  if (/\[[^\]]*$/.test(name)) return 'refused';
  const plain = plainName(name);
  if (credentialNames.has(plain)) return 'credential';
  return refusedNames.has(plain) ? 'refused' : 'fine';
}

/** As readers of forms make it: without brackets and what follows, with `_` for what can't stand in a name. */
export function plainName(name: string): string {
  return name
    .trimStart()
    .replace(/[[\0].*$/s, '')
    .trimEnd()
    .replaceAll(/[ .-]/g, '_')
    .toLowerCase();
}

/** Headers that ask for another method. */
export const methodHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/**
 * Where a body names other objects, as paths; `*` is every element of a list. Persons (`recipient.id`), messages that
 * are answered, and public places are not the channel's and not checked.
 */
export const referencePaths: readonly (readonly string[])[] = [
  ...['comment_id', 'post_id', 'creation_id', 'media_id', 'object_id', 'parent_id', 'video_id', 'photo_id', 'page_id'],
  ...['phone_number_id', 'thread_id', 'conversation_id', 'hsm_id', 'media_fbid'],
  ...['object_attachment', 'attachment_id', 'crossposted_video_id'],
]
  .map((name) => [name])
  .concat([
    ['recipient', 'comment_id'],
    ['recipient', 'post_id'],
    ['recipient', 'thread_key'],
    ['recipient', 'conversation_id'],
    ['children', '*'],
    ['attached_media', '*', 'media_fbid'],
    ['message', 'attachment', 'payload', 'id'],
    ['message', 'attachments', '*', 'payload', 'id'],
    ['message', 'attachments', 'payload', 'id'],
    ...['image', 'video', 'audio', 'document', 'sticker'].flatMap((media) => [
      [media, 'id'],
      ['interactive', 'header', media, 'id'],
      ['template', 'components', '*', 'parameters', '*', media, 'id'],
      ['template', 'components', '*', 'cards', '*', 'components', '*', 'parameters', '*', media, 'id'],
      ['interactive', 'action', 'cards', '*', 'header', media, 'id'],
    ]),
  ]);

/** Parameters that would name an object within a file upload, whose fields are seen by name alone. */
export const referenceNames: ReadonlySet<string> = new Set(referencePaths.map(([name]) => String(name)));

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

const hiddenFields =
  /token|secret|password|credential|^(?:roles|accounts|apps|subscribed_apps|businesses|agencies|assigned_users|business_users|system_users|adaccounts|business_discovery|owner_business|owner_business_info|on_behalf_of_business_info|primary_funding_id|phone_numbers|blocked|settings|(?:new_)?certificate|webhook_configuration|leadgen_forms|personas|.*_businesses|owned_.*|client_.*)$/i;

/** What a list of fields asks for that a channel token does not show; undefined where all of it is fine. */
export function fieldsProblem(fields: string): string | undefined {
  if (!/^[\w\s,.{}()|:;"'[\]@+-]*$/.test(fields)) return 'the list of fields has characters that no list of fields has';
  if (/\.\s*as\s*\(/i.test(fields)) return 'fields can not be renamed here';
  if (/\.\s*fields\s*\(/i.test(fields)) return 'fields of fields are asked for in braces';
  const hidden = (fields.match(/\w+/g) ?? []).find((name) => hiddenFields.test(name));
  if (hidden !== undefined) return `the field ${hidden} is not shown`;
  const withoutModifiers = removeModifiers(fields);
  if (withoutModifiers === undefined) return 'the list of fields is not well-formed';
  const expanded = [...withoutModifiers.matchAll(/(\w*)\s*\{/g)].map(([, name = '']) => name);
  const closed = expanded.find((name) => !expandable.has(name.toLowerCase()));
  return closed === undefined ? undefined : `the field ${closed} can not be expanded`;
}

/** Without `.limit(5)` and its like; undefined where parentheses do not match. */
function removeModifiers(fields: string): string | undefined {
  const rest = fields.replaceAll(/\s*\.\s*\w+\s*\([^(){}]*\)/g, '');
  return /[().]/.test(rest) ? undefined : rest;
}
