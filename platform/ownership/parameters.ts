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
