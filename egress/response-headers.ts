import { keptHeaderValue } from '../contract/deliveries/response-headers.ts';

const MAX_HEADERS = 64;
const MAX_TOTAL_CHARS = 8_192;

export function boundedHeaders(
  received: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  let count = 0;
  let chars = 0;
  for (const name in received) {
    const value = received[name];
    if (value === undefined) continue;
    const text = keptHeaderValue(name, typeof value === 'string' ? value : value.join(', '));
    if (chars + name.length + text.length > MAX_TOTAL_CHARS) continue;
    if (++count > MAX_HEADERS) break;
    chars += name.length + text.length;
    headers[name] = text;
  }
  return headers;
}
