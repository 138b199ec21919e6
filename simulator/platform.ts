import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'undici';
import type { ConsentControl } from './accounts.ts';
import { createConsent } from './consent.ts';
import { controlEvent, type ControlEventInput } from './control-event.ts';
import { listen, readBody, readJson, RequestRefused, sendError, sendJson, type RunningServer } from './http-server.ts';
import { createWebhookPoster, type WebhookRetries } from './post-webhook.ts';
import { sendBytes, sendEvent, type SentWebhook } from './send-event.ts';

/**
 * The platform as a real server: its consent page (`consent.ts`) and its side of webhooks. It makes webhooks of all three products on demand, signs their raw
 * bytes and posts them until they are answered 200, as the platform does. Tests and benches that need no HTTP control
 * call `send` and `sendRaw`, or the builders in `webhooks/` with a poster of their own.
 */
export interface PlatformOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly appSecret: string;
  readonly webhookUrl: string;
  /** Sent in the handshake. */
  readonly verifyToken?: string;
  readonly retries?: WebhookRetries;
  /** The app's id in consents. */
  readonly clientId?: string;
}

/** How the service answered the platform's handshake. */
export interface Handshake {
  readonly status: number;
  readonly body: string;
  readonly challenge: string;
}

export interface Platform extends RunningServer {
  readonly send: (event: ControlEventInput) => Promise<SentWebhook[]>;
  /** Signs and posts these bytes as they are. */
  readonly sendRaw: (bytes: Uint8Array) => Promise<SentWebhook>;
  readonly shakeHands: (verifyToken?: string) => Promise<Handshake>;
  /** What the customer has to connect, and what goes wrong while connecting it. */
  readonly consent: (change: ConsentControl) => void;
}

/** The largest body that the platform sends is about 3 MB. */
const MAX_RAW_BYTES = 8 * 1024 * 1024;

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { appSecret, clientId = 'demo-app' } = options;
  const consent = createConsent({ clientId, appSecret });
  const poster = createWebhookPoster(options);

  const sender = {
    send: (event: ControlEventInput) => sendEvent(poster, parseEvent(event), Date.now()),
    sendRaw: (bytes: Uint8Array) => sendBytes(poster, { bytes, platformMessageIds: [] }),
    shakeHands: (verifyToken = options.verifyToken) => shakeHands(options.webhookUrl, verifyToken),
    consent: (change: ConsentControl) => consent.control(change),
  };

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (`${request.method} ${request.url}`) {
      case 'GET /healthz':
        return sendJson(response, 200, { status: 'ok' });
      case 'POST /control/events': {
        const event = parseEvent(await readJson(request));
        return sendJson(response, 200, { sent: await sendEvent(poster, event, Date.now()) });
      }
      case 'POST /control/raw': {
        const bytes = await readBody(request, MAX_RAW_BYTES);
        return sendJson(response, 200, { sent: [await sender.sendRaw(bytes)] });
      }
      case 'POST /control/handshake':
        return sendJson(response, 200, await sender.shakeHands());
      default:
        if (await consent.answer(request, response)) return;
        throw new RequestRefused(404, 'The platform simulator has no such address');
    }
  }

  const server = await listen({
    port: options.port,
    onRequest: (request, response) => {
      route(request, response).catch((error: unknown) => sendError(response, error));
    },
  });
  return {
    ...server,
    ...sender,
    async stop() {
      await poster.close();
      await server.stop();
    },
  };
}

function parseEvent(input: unknown) {
  const event = controlEvent.safeParse(input);
  if (event.success) return event.data;
  const problems = event.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestRefused(400, problems.join('; '));
}

/** Asks as the platform does when a webhook address is entered: the answer must be 200 and the challenge. */
async function shakeHands(webhookUrl: string, verifyToken = ''): Promise<Handshake> {
  const challenge = String(Math.floor(Math.random() * 2 ** 31));
  const url = new URL(webhookUrl);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', verifyToken);
  const { statusCode, body } = await httpRequest(url);
  return { status: statusCode, body: await body.text(), challenge };
}
