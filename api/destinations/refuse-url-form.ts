import type { Cidr } from '../../contract/addresses/classify-address.ts';
import { checkUrl, MAX_URL_LENGTH } from '../../contract/addresses/check-url.ts';
import { UrlNotAllowed } from '../requests/errors.ts';

/** The worker checks the resolved addresses when it sends. */
export function refuseUrlForm(
  { deployment, allowCidrs }: { deployment: 'development' | 'production'; allowCidrs: readonly Cidr[] },
  url: string,
): void {
  const verdict = checkUrl(url, { allowHttp: deployment === 'development', allow: allowCidrs });
  if (!verdict.ok) throw new UrlNotAllowed(`${verdict.reason}.`);
  // Some are stored and shown as the parser writes them: it adds a slash and encodes characters.
  if (new URL(url).href.length > MAX_URL_LENGTH) {
    throw new UrlNotAllowed(`The URL is longer than ${MAX_URL_LENGTH} characters once it is encoded.`);
  }
}
