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

/** Longer than the name of any parameter of the platform, brackets included. */
export const MAX_NAME_LENGTH = 256;

/** Judges a parameter by its name, in whatever spelling the platform may read it. */
export function judgeParameter(name: string): ParameterVerdict {
  // Readers of forms differ in what a bracket that stays open is.
  if (name.lastIndexOf('[') > name.lastIndexOf(']')) return 'refused';
  const plain = plainName(name);
  if (credentialNames.has(plain)) return 'credential';
  return name.length > MAX_NAME_LENGTH || refusedNames.has(plain) ? 'refused' : 'fine';
}

/** As readers of forms make it: without brackets and what follows, with `_` for what can't stand in a name. */
export function plainName(name: string): string {
  const text = name.trimStart();
  const end = text.search(/[[\0]/);
  return (end < 0 ? text : text.slice(0, end)).trimEnd().replaceAll(/[ .-]/g, '_').toLowerCase();
}

/** Headers that ask for another method. */
export const methodHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override'];
