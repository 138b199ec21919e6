import { createSecretKey } from 'node:crypto';
import Router, { type RouterContext } from '@koa/router';
import type { BodyBudget } from '../../process/body-budget.ts';
import { resourceMetadataUrl } from '../../contract/identity/resource-metadata.ts';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { answerHandshake } from '../../platform/webhooks/handshake.ts';
import { verifyPlatformSignature } from '../../platform/webhooks/verify-signature.ts';
import { platformSignatureHeader } from '../../platform/webhooks/wire.ts';
import { securityHeaders } from '../../process/security-headers.ts';
import type { RateLimits } from '../requests/rate-limits.ts';
import { AuthRequired, Forbidden, MalformedJson, TooManyRequests } from '../requests/errors.ts';
import { TooManyWaiting } from './group-commit.ts';
import type { PlatformEvents } from './platform-events.ts';
import { readBytes } from '../requests/read-bytes.ts';

export interface PlatformWebhookDeps {
  readonly events: PlatformEvents;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly baseUrl: string;
  readonly bodies: BodyBudget;
  /** Optional. Omit to disable the limit. */
  readonly rateLimits?: Pick<RateLimits, 'countFailure'>;
  readonly meter?: Pick<ApiMeter, 'signatureRejected'>;
}

/** The platform's largest bodies are about 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const BUSY_RETRY_SECONDS = 1;

/** Not Bearer, so that no client answers it with an API key. */
function signatureChallenge({ baseUrl }: PlatformWebhookDeps): string {
  return `HMAC-SHA256 header="${platformSignatureHeader}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`;
}

export function platformWebhookRoutes(deps: PlatformWebhookDeps): Router {
  const { events, appSecret, verifyToken, bodies, rateLimits, meter } = deps;
  const router = new Router();
  const appKey = createSecretKey(appSecret, 'utf8');
  const headers = { 'www-authenticate': signatureChallenge(deps) };

  router.get('/platform/webhooks', (ctx) => {
    ctx.set(securityHeaders);
    const challenge = answerHandshake(ctx.query, verifyToken);
    if (challenge === undefined) throw new Forbidden('The handshake requires the verify token of this installation.');
    ctx.type = 'text/plain';
    ctx.body = challenge;
  });

  router.post('/platform/webhooks', async (ctx) => {
    try {
      await take(ctx);
    } catch (error) {
      ctx.set(securityHeaders);
      throw error;
    }
    // Other security headers would cost a tenth of the request and don't matter for an empty response.
    ctx.set('x-content-type-options', 'nosniff');
    ctx.body = '';
  });

  return router;

  async function take(ctx: RouterContext): Promise<void> {
    const header = ctx.get(platformSignatureHeader);
    // Refuses unsigned requests before reading the body.
    if (parseSha256Header(header) === undefined) throw await refusal(ctx);
    const reservation = bodies.open(ctx.ip);
    try {
      const body = await readBytes(ctx, { maxBytes: MAX_BODY_BYTES, reservation });
      if (!verifyPlatformSignature({ body, header, appSecret: appKey })) throw await refusal(ctx);
      reservation.trust();
      if ((await accept(body)) === 'malformed') throw new MalformedJson('The body is not JSON');
    } finally {
      reservation.release();
    }
  }

  /** Throws TooManyRequests after too many failures. Valid signatures pass regardless. */
  async function refusal(ctx: RouterContext): Promise<AuthRequired> {
    meter?.signatureRejected();
    await rateLimits?.countFailure({ clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) });
    return new AuthRequired('The signature of the body is missing or wrong.', { headers });
  }

  async function accept(body: Buffer): Promise<'accepted' | 'malformed'> {
    try {
      return await events.accept(body);
    } catch (error) {
      if (error instanceof TooManyWaiting) throw new TooManyRequests(BUSY_RETRY_SECONDS, { cause: error });
      throw error;
    }
  }
}
