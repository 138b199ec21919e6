const OPEN = '\u001b]8;;';
const END = '\u001b\\';
/** What RFC 3986 allows. Anything else could end the escape sequence. */
const SAFE_URL = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Makes text clickable in terminals that support OSC 8. */
export function hyperlink(text: string, url: string): string {
  return SAFE_URL.test(url) ? `${OPEN}${url}${END}${text}${OPEN}${END}` : text;
}
