import type { Cidr } from '../../contract/addresses/classify-address.ts';
import { checkUrl, MAX_URL_LENGTH } from '../../contract/addresses/check-url.ts';
import { UrlNotAllowed } from '../requests/errors.ts';

/**
 * Returns the URL of a field of the body as the parser writes it, for storing and comparing: `https:host` and `HTTPS://Host:443/` are one URL.
 * The worker checks the resolved addresses when it sends.
 */
export function parseUrl(
  { deployment, allowCidrs }: { deployment: 'development' | 'production'; allowCidrs: readonly Cidr[] },
  field: string,
  url: string,
): string {
  const verdict = checkUrl(url, { allowHttp: deployment === 'development', allow: allowCidrs });
  if (!verdict.ok) throw new UrlNotAllowed(field, `${verdict.reason}.`);
  // The parser adds a slash and encodes characters.
  const { href } = new URL(url);
  if (href.length > MAX_URL_LENGTH) {
    throw new UrlNotAllowed(field, `The URL is longer than ${MAX_URL_LENGTH} characters once it is encoded.`);
  }
  return href;
}
