import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Addresses, DemoTenants } from './demo.ts';

export interface TourCalls {
  api(call: { method: string; path: string; body?: unknown }): Promise<unknown>;
  scriptReceiver(script: unknown): Promise<void>;
  sendMessage(text: string): Promise<void>;
  deliveryWith(text: string): Promise<ReceivedDelivery>;
}

const receivedRequest = z.object({
  number: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())]).transform(String)),
  bodyBase64: z.string().nullable(),
  answeredStatus: z.number().nullable(),
});

export interface ReceivedDelivery {
  readonly deliveryId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly answeredStatus: number | null;
}

export const demoWebhook = 'demo';
const CALL_TIMEOUT_MS = 45_000;
const ARRIVAL_DEADLINE_MS = 120_000;
const POLL_MS = 100;

export function tourCalls({
  addresses,
  tenants,
  signal,
}: {
  addresses: Addresses;
  tenants: DemoTenants;
  signal: AbortSignal;
}): TourCalls {
  const { baseUrl, simulatorUrl, receiverUrl } = addresses;
  const credentials = { authorization: `Bearer ${tenants.apiKey}`, 'x-workspace-id': tenants.workspaceId };
  const control = `${receiverUrl}/control/webhooks/${demoWebhook}`;
  const call = (request: Omit<HttpCall, 'signal'>) => callJson({ ...request, signal });

  return {
    api: ({ method, path, body }) => call({ method, url: baseUrl + path, body, headers: credentials }),
    scriptReceiver: async (script) => void (await call({ method: 'PUT', url: control, body: script })),
    sendMessage: async (text) => {
      const body = { product: 'chatapp', kind: 'message', resourceId: tenants.channels.chatapp.resourceId, text };
      await call({ method: 'POST', url: `${simulatorUrl}/control/events`, body });
    },
    deliveryWith: async (text) => {
      const lateAtMs = performance.now() + ARRIVAL_DEADLINE_MS;
      let after = 0;
      while (performance.now() < lateAtMs) {
        const answer = await call({ method: 'GET', url: `${control}/requests?after=${after}` });
        for (const request of z.object({ requests: z.array(receivedRequest) }).parse(answer).requests) {
          const delivery = deliveryOf(request);
          if (delivery && delivery.body.includes(text)) return delivery;
          after = request.number;
        }
        await sleep(POLL_MS, undefined, { signal });
      }
      throw new Error(
        `no delivery with the text "${text}" reached the receiver within ${ARRIVAL_DEADLINE_MS / 1000} s`,
      );
    },
  };
}

function deliveryOf({
  headers,
  bodyBase64,
  answeredStatus,
}: z.output<typeof receivedRequest>): ReceivedDelivery | undefined {
  const deliveryId = headers['x-service-delivery-id'];
  if (!deliveryId || bodyBase64 === null) return undefined;
  return { deliveryId, headers, body: Buffer.from(bodyBase64, 'base64'), answeredStatus };
}

interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal: AbortSignal;
}

async function callJson({ method, url, body, headers, signal }: HttpCall): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
