import helmet from 'koa-helmet';
import type { Middleware } from 'koa';

/** Nothing may be loaded or framed by an answer of the API; the documentation widens this for itself. */
export function securityHeaders(): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
