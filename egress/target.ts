import type { BlockedError } from '../contract/deliveries/egress-errors.ts';
import { ipLiteral, checkUrl, type UrlRules } from '../contract/addresses/check-url.ts';
import { BoundedMap } from '../process/bounded-map.ts';
import { isReachable } from './resolve.ts';

export type Target =
  | {
      readonly isAllowed: true;
      readonly origin: string;
      readonly path: string;
      /** Undefined for an IP address. */
      readonly name: string | undefined;
    }
  | { readonly isAllowed: false; readonly error: BlockedError; readonly detail: string };

const MAX_REMEMBERED = 10_000;

export function createTargets(rules: UrlRules): (url: string) => Target {
  const remembered = new BoundedMap<string, Target>(MAX_REMEMBERED);
  return (url) => {
    const known = remembered.get(url);
    if (known) return known;
    const target = judgeTarget(url, rules);
    remembered.set(url, target);
    return target;
  };
}

function judgeTarget(url: string, rules: UrlRules): Target {
  const parsed = URL.parse(url);
  const ip = parsed === null ? undefined : ipLiteral(parsed.hostname);
  if (ip !== undefined && !isReachable(ip, rules.allow)) {
    return { isAllowed: false, error: 'address_not_allowed', detail: ip };
  }
  const verdict = checkUrl(url, rules);
  if (!verdict.ok) return { isAllowed: false, error: 'url_not_allowed', detail: verdict.reason };
  if (parsed === null) return { isAllowed: false, error: 'url_not_allowed', detail: 'The URL is not an absolute URL' };
  return {
    isAllowed: true,
    origin: parsed.origin,
    path: parsed.pathname + parsed.search,
    name: ip === undefined ? parsed.hostname : undefined,
  };
}
