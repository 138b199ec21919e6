import type { Cidr } from '../../contract/addresses/classify-address.ts';
import { checkUrl } from '../../contract/addresses/check-url.ts';
import { UrlNotAllowed } from '../requests/errors.ts';

/** The worker checks the resolved addresses when it sends. */
export function refuseUrlForm(
  { deployment, allowCidrs }: { deployment: 'development' | 'production'; allowCidrs: readonly Cidr[] },
  url: string,
): void {
  const verdict = checkUrl(url, { allowHttp: deployment === 'development', allow: allowCidrs });
  if (!verdict.ok) throw new UrlNotAllowed(`${verdict.reason}.`);
}
