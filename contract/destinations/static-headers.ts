/** Headers that a user adds to the deliveries of a destination. */

export const MAX_HEADERS = 20;
/** Names and values of all headers of a destination. Most servers refuse more than 8 KiB of headers. */
export const MAX_HEADER_BYTES = 4_096;
const MAX_NAME_LENGTH = 100;

/**
 * RFC 9110 allows more. Receivers behind CGI, WSGI or PHP see the same variable for `-`, `_` and other signs, so that
 * `x_service_signature_256` would pass for our signature.
 */
const plainToken = /^[0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces inside only: everything else reaches receivers in different forms. */
const visible = /^[\x20-\x7e]+$/;

const framing = 'they describe the connection or the body, which the service writes';
const signed = 'they belong to the service, and receivers trust them';
const forwarded = 'proxies write them';

const forbiddenNames: ReadonlyMap<string, string> = new Map([
  ...entriesOf(framing, [
    ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host'],
    ...['http2-settings', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te'],
    ...['trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
  ]),
  ...entriesOf(signed, ['baggage', 'signature', 'signature-input', 'traceparent', 'tracestate']),
  ...entriesOf(forwarded, ['forwarded', 'via', 'x-real-ip']),
  ...entriesOf('deliveries carry no cookies', ['cookie', 'cookie2', 'set-cookie']),
]);
const forbiddenPrefixes: readonly (readonly [prefix: string, reason: string])[] = [
  ['x-service-', signed],
  ['webhook-', signed],
  ['x-hub-signature', signed],
  ['x-forwarded-', forwarded],
];

function entriesOf(reason: string, names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, reason] as const);
}

/** Returns why a header of this name is refused. */
export function headerNameProblem(given: string): string | undefined {
  const name = given.toLowerCase();
  if (name.length > MAX_NAME_LENGTH || !plainToken.test(name))
    return `headers: a name must have 1 to ${MAX_NAME_LENGTH} letters, digits or hyphens`;
  const reason = refusalOf(name);
  return reason === undefined ? undefined : `headers.${name}: can't be set, because ${reason}`;
}

function refusalOf(name: string): string | undefined {
  return forbiddenNames.get(name) ?? forbiddenPrefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
}

/** Returns why this value of a header is refused. The text never quotes it. */
export function headerValueProblem(value: string): string | undefined {
  if (value.length === 0 || value.length > MAX_HEADER_BYTES) return `must have 1 to ${MAX_HEADER_BYTES} characters`;
  if (!visible.test(value) || value.trim() !== value)
    return 'must have visible ASCII characters only, without spaces at its ends';
  return undefined;
}
