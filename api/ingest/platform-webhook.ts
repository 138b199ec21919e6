import { createSecretKey } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';
import { resourceMetadataUrl } from '../../contract/identity/resource-metadata.ts';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { answerHandshake, verifyPlatformSignature } from '../../platform/webhooks/handshake.ts';
import { platformSignatureHeader } from '../../platform/webhooks/wire.ts';
import type { BodyBudget } from '../../process/body-budget.ts';
import { clientAddressOf } from '../../process/client-address.ts';
import { endWithError, errorBody } from '../../process/http-errors.ts';
import { awaitSmallRest } from '../../process/lingering-close.ts';
import type { Log } from '../../process/log.ts';
import { answeredRequestId, requestIdsOf } from '../../process/request-id.ts';
import { securityHeaders } from '../../process/security-headers.ts';
import type { Ingest } from '../requests/deps.ts';
import { AuthRequired, Forbidden, MalformedJson, MethodNotAllowed, TooManyRequests } from '../requests/errors.ts';
import { countServed, logRefusal } from '../requests/middleware.ts';
import type { RateLimits } from '../requests/rate-limits.ts';
import { readBytes } from '../requests/read-bytes.ts';
import { TooManyWaiting } from './group-commit.ts';

export interface PlatformWebhookDeps extends Ingest {
  readonly baseUrl: string;
  readonly bodies: BodyBudget;
  readonly trustProxy: boolean;
  /** Optional. Omit to disable the limit. */
  readonly rateLimits?: Pick<RateLimits, 'countFailure'> | undefined;
  /** Optional. Omit to disable metrics. */
  readonly meter?: Pick<ApiMeter, 'requestServed' | 'signatureRejected'> | undefined;
  readonly log: Log;
}

const PATH = '/platform/webhooks';
/** Other spellings of the path, and a query. */
const PATH_FORMS = /^\/platform\/webhooks\/?(?:\?|$)/i;
const METHODS = ['HEAD', 'GET', 'POST', 'OPTIONS'];
/** The platform's largest bodies are about 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const BUSY_RETRY_SECONDS = 1;
const TEXT = 'text/plain; charset=utf-8';

/**
 * Answers the platform without Koa, whose context, router and response take a sixth of the API's processor time when
 * thousands of webhooks arrive per second. `others` answers all other requests.
 */
export function platformWebhook(deps: PlatformWebhookDeps, others: RequestListener): RequestListener {
  const { events, verifyToken, baseUrl, bodies, trustProxy, rateLimits, meter, log } = deps;
  const appSecrets = deps.appSecrets.map((secret) => createSecretKey(secret, 'utf8'));
  // Not Bearer, so that no client answers it with an API key.
  const challenge = `HMAC-SHA256 header="${platformSignatureHeader}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`;

  return (req, res) => {
    if (req.url !== PATH && !PATH_FORMS.test(req.url ?? '')) return others(req, res);
    if (meter) countServed({ meter, req, res, route: () => PATH });
    const ids = requestIdsOf(req.headers['x-request-id']);
    const requestId = answeredRequestId(ids);
    answer(req, res, requestId).catch(async (thrown: unknown) => {
      const error = logRefusal(log, thrown, { requestId: ids.requestId, method: req.method, path: PATH });
      await awaitSmallRest(req);
      endWithError(res, error, { baseUrl, body: errorBody(error, requestId), headers: headersOf(requestId) });
    });
  };

  async function answer(req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void> {
    switch (req.method) {
      case 'POST': {
        await take(req, res);
        // Other security headers would cost a tenth of the request and don't matter for an empty response.
        const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff', 'content-type': TEXT };
        res.writeHead(200, { ...headers, 'content-length': 0 }).end();
        return;
      }
      case 'GET':
      case 'HEAD': {
        const text = answerHandshake(parse(req.url!.split('?')[1] ?? ''), verifyToken);
        if (text === undefined) throw new Forbidden('The handshake requires the verify token of this installation.');
        const described = { 'content-type': TEXT, 'content-length': Buffer.byteLength(text) };
        res.writeHead(200, { ...headersOf(requestId), ...described }).end(text);
        return;
      }
      case 'OPTIONS':
        res.writeHead(204, { ...headersOf(requestId), allow: METHODS.join(', ') }).end();
        return;
      case undefined:
      default:
        throw new MethodNotAllowed(METHODS);
    }
  }

  /** Resolves after the commit. Throws if the events were not accepted. */
  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const clientAddress = clientAddressOf(req, trustProxy);
    const given = req.headers[platformSignatureHeader];
    const header = typeof given === 'string' ? given : undefined;
    // Refuses unsigned requests before reading the body.
    if (parseSha256Header(header) === undefined) throw await unsigned(res, clientAddress);
    const reservation = bodies.open(clientAddress);
    try {
      const body = await readBytes({ req }, { maxBytes: MAX_BODY_BYTES, reservation });
      if (!verifyPlatformSignature({ body, header, appSecrets })) throw await unsigned(res, clientAddress);
      reservation.trust();
      if ((await events.accept(body).catch(busyError)) === 'malformed') throw new MalformedJson('The body is not JSON');
    } finally {
      reservation.release();
    }
  }

  /** Throws TooManyRequests after too many failures. Valid signatures pass regardless. */
  async function unsigned(res: ServerResponse, clientAddress: string): Promise<AuthRequired> {
    meter?.signatureRejected();
    await rateLimits?.countFailure({ clientAddress, setHeader: (name, value) => void res.setHeader(name, value) });
    return new AuthRequired('The signature of the body is missing or wrong.', {
      headers: { 'www-authenticate': challenge },
    });
  }
}

function headersOf(requestId: string) {
  return { ...securityHeaders, 'x-request-id': requestId };
}

function busyError(error: unknown): never {
  if (error instanceof TooManyWaiting) throw new TooManyRequests(BUSY_RETRY_SECONDS, { cause: error });
  throw error;
}
