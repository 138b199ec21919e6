/**
 * Checks parameters that would bypass the path: other objects, methods or credentials, and batches of calls. The
 * platform accepts parameters in the query, a form or a JSON body, and lists also as `name[0]`.
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

/** Judges a parameter by its name, in every spelling that the platform may accept. */
export function judgeParameter(name: string): ParameterVerdict {
  // Form parsers differ in how they treat an unclosed bracket.
  if (name.lastIndexOf('[') > name.lastIndexOf(']')) return 'refused';
  const plain = plainName(name);
  if (credentialNames.has(plain)) return 'credential';
  return name.length > MAX_NAME_LENGTH || refusedNames.has(plain) ? 'refused' : 'fine';
}

/** Normalizes a name as form parsers do: cuts it at the first bracket, and replaces invalid characters with `_`. */
export function plainName(name: string): string {
  const text = name.trimStart();
  const end = text.search(/[[\0]/);
  return (end < 0 ? text : text.slice(0, end)).trimEnd().replaceAll(/[ .-]/g, '_').toLowerCase();
}

/** Headers that override the method. */
export const methodHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override'];
