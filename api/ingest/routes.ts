import Router, { type RouterContext } from '@koa/router';
import { resourceMetadataUrl } from '../../contract/identity/resource-metadata.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { answerHandshake } from '../../platform/webhooks/handshake.ts';
import { platformSignatureHeader } from '../../platform/webhooks/wire.ts';
import { securityHeaders } from '../../process/security-headers.ts';
import type { RateLimits } from '../requests/rate-limits.ts';
import { AuthRequired, Forbidden } from '../requests/errors.ts';
import { createTakeWebhook, type TakeWebhookDeps } from './take-webhook.ts';
import { outcomeOf, platformWebhookPath } from './webhook-listener.ts';

export interface PlatformWebhookDeps extends TakeWebhookDeps {
  readonly verifyToken: string;
  readonly baseUrl: string;
  /** Optional. Omit to disable the limit. */
  readonly rateLimits?: Pick<RateLimits, 'countFailure'>;
  readonly meter?: Pick<ApiMeter, 'signatureRejected'>;
}

/** Not Bearer, so that no client answers it with an API key. */
function signatureChallenge({ baseUrl }: PlatformWebhookDeps): string {
  return `HMAC-SHA256 header="${platformSignatureHeader}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`;
}

export function platformWebhookRoutes(deps: PlatformWebhookDeps): Router {
  const { verifyToken, rateLimits, meter } = deps;
  const take = createTakeWebhook(deps);
  const router = new Router();
  const headers = { 'www-authenticate': signatureChallenge(deps) };

  router.get(platformWebhookPath, (ctx) => {
    ctx.set(securityHeaders);
    const challenge = answerHandshake(ctx.query, verifyToken);
    if (challenge === undefined) throw new Forbidden('The handshake requires the verify token of this installation.');
    ctx.type = 'text/plain';
    ctx.body = challenge;
  });

  router.post(platformWebhookPath, async (ctx) => {
    try {
      const outcome = await (outcomeOf(ctx.req) ?? take({ req: ctx.req, clientAddress: ctx.ip }));
      if (outcome === 'unsigned') throw await refusal(ctx);
    } catch (error) {
      ctx.set(securityHeaders);
      throw error;
    }
    // Other security headers would cost a tenth of the request and don't matter for an empty response.
    ctx.set('x-content-type-options', 'nosniff');
    ctx.body = '';
  });

  return router;

  /** Throws TooManyRequests after too many failures. Valid signatures pass regardless. */
  async function refusal(ctx: RouterContext): Promise<AuthRequired> {
    meter?.signatureRejected();
    await rateLimits?.countFailure({ clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) });
    return new AuthRequired('The signature of the body is missing or wrong.', { headers });
  }
}
