import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ApiMeter } from '../../metrics/api-metrics.ts';
import { countServed } from '../requests/middleware/request-metrics.ts';
import { clientAddressOf } from '../../process/client-address.ts';
import { answeredRequestId, requestIdsOf } from '../../process/request-id.ts';
import type { TakeWebhook } from './take-webhook.ts';

export const platformWebhookPath = '/platform/webhooks';

export interface WebhookListener {
  readonly take: TakeWebhook;
  /** Answers all other requests. Takes the outcome of a webhook that was not accepted from `outcomeOf`. */
  readonly others: RequestListener;
  readonly trustProxy: boolean;
  /** Optional. Omit to disable metrics. */
  readonly meter?: Pick<ApiMeter, 'requestServed'>;
}

/**
 * Answers accepted webhooks without Koa, whose context, router and response take a sixth of the API's processor time.
 * Koa answers everything else, so errors, rate limits and logs have one home.
 */
export function webhookListener({ take, others, trustProxy, meter }: WebhookListener): RequestListener {
  return (req, res) => {
    if (req.method !== 'POST' || req.url !== platformWebhookPath) return others(req, res);
    const startedAtMs = performance.now();
    const outcome = take({ req, clientAddress: clientAddressOf(req, trustProxy) });
    const handOver = (): void => {
      outcomes.set(req, outcome);
      others(req, res);
    };
    const answer = (taken: Awaited<typeof outcome>): void => {
      if (taken !== 'accepted') return handOver();
      if (meter) countServed({ meter, req, res, startedAtMs, route: () => platformWebhookPath });
      respond(req, res);
    };
    outcome.then(answer, handOver);
  };
}

const outcomes = new WeakMap<IncomingMessage, ReturnType<TakeWebhook>>();

/** Returns the outcome of a request whose body has already been read. */
export function outcomeOf(req: IncomingMessage): ReturnType<TakeWebhook> | undefined {
  return outcomes.get(req);
}

/** The headers that Koa would send. */
function respond(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, {
    'x-request-id': answeredRequestId(requestIdsOf(req.headers['x-request-id'])),
    'x-content-type-options': 'nosniff',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': 0,
  });
  res.end();
}
