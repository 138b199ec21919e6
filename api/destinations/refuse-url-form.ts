import type { Cidr } from '../../contract/addresses/classify-address.ts';
import { judgeUrl } from '../../contract/addresses/judge-url.ts';
import { UrlNotAllowed } from '../requests/errors.ts';

/** Refuses a destination by the form of its URL; the addresses behind its name are judged where it is called from. */
export function refuseUrlForm(
  { deployment, allowCidrs }: { deployment: 'development' | 'production'; allowCidrs: readonly Cidr[] },
  url: string,
): void {
  const verdict = judgeUrl(url, { allowHttp: deployment === 'development', allow: allowCidrs });
  if (!verdict.ok) throw new UrlNotAllowed(`${verdict.reason}.`);
}
