import { createSecretKey } from 'node:crypto';
import Router from '@koa/router';
import { resourceMetadataUrl } from '../../contract/resource-metadata.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { answerHandshake } from '../../platform/handshake.ts';
import { verifyPlatformSignature } from '../../platform/verify-signature.ts';
import { platformSignatureHeader } from '../../platform/wire.ts';
import { AuthRequired, Forbidden, MalformedJson, TooManyRequests } from '../errors.ts';
import { TooManyWaiting } from '../ingest/group-commit.ts';
import type { PlatformEvents } from '../ingest/platform-events.ts';
import { readBody } from '../ingest/read-body.ts';

export interface PlatformWebhookDeps {
  readonly events: PlatformEvents;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Where the API is reached. */
  readonly baseUrl: string;
  readonly meter?: Pick<ApiMeter, 'signatureRejected'>;
}

/** The platform's largest bodies are about 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const BUSY_RETRY_SECONDS = 1;

/**
 * HTTP wants a 401 to say what would be let in. Here that is no token but the platform's signature, so the scheme is none
 * that a client would answer with a key.
 */
function signatureChallenge({ baseUrl }: PlatformWebhookDeps): string {
  return `HMAC-SHA256 header="${platformSignatureHeader}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`;
}

/** Where the platform verifies that we listen, and sends its events. Answers 200 only after they are committed. */
export function platformWebhookRoutes(deps: PlatformWebhookDeps): Router {
  const { events, appSecret, verifyToken, meter } = deps;
  const router = new Router();
  const appKey = createSecretKey(appSecret, 'utf8');
  const headers = { 'www-authenticate': signatureChallenge(deps) };

  router.get('/platform/webhooks', (ctx) => {
    const challenge = answerHandshake(ctx.query, verifyToken);
    if (challenge === undefined) throw new Forbidden('The handshake needs the verify token of this installation');
    ctx.type = 'text/plain';
    ctx.body = challenge;
  });

  router.post('/platform/webhooks', async (ctx) => {
    const body = await readBody(ctx.req, MAX_BODY_BYTES);
    if (!verifyPlatformSignature({ body, header: ctx.get(platformSignatureHeader), appSecret: appKey })) {
      meter?.signatureRejected();
      throw new AuthRequired('The signature over the body is missing or wrong', { headers });
    }
    if ((await accept(body)) === 'malformed') throw new MalformedJson('The body is not JSON');
    ctx.body = '';
  });

  return router;

  async function accept(body: Buffer): Promise<'accepted' | 'malformed'> {
    try {
      return await events.accept(body);
    } catch (error) {
      if (error instanceof TooManyWaiting) throw new TooManyRequests(BUSY_RETRY_SECONDS, { cause: error });
      throw error;
    }
  }
}
