import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'undici';
import type { ConsentControlInput } from './consent/accounts.ts';
import { createConsent } from './consent/consent.ts';
import { createContent, type ContentApi } from './content/content.ts';
import { createMedia, type MediaOptions, type MediaApi } from './media/media.ts';
import { numberOf } from './messaging/chatapp-number.ts';
import { createMessaging, type MessagingOptions, type MessagingApi } from './messaging/messaging.ts';
import {
  listen,
  parseInput,
  readJson,
  RequestRefused,
  sendError,
  sendJson,
  type RunningServer,
} from './servers/http-server.ts';
import { encodeWebhook, envelope } from './webhooks/envelope.ts';
import { controlEvent, type ControlEventInput, eventItems } from './webhooks/events.ts';
import {
  createWebhookPoster,
  type PostedWebhook,
  type WebhookPoster,
  type WebhookRetries,
} from './webhooks/post-webhook.ts';

/** The simulated platform: OAuth, the APIs, and webhooks that are signed and retried as on the platform. */
export interface PlatformOptions {
  readonly port: number;
  readonly hosts?: readonly string[];
  readonly appSecret: string;
  readonly webhookUrl: string;
  readonly verifyToken?: string;
  readonly retries?: WebhookRetries;
  readonly clientId?: string;
  readonly media?: MediaOptions;
  readonly messaging?: MessagingOptions;
}

interface SentWebhook extends PostedWebhook {
  readonly platformMessageIds: readonly string[];
  readonly bodySha256: string;
}

interface Handshake {
  readonly status: number;
  readonly body: string;
  readonly challenge: string;
}

export interface Platform extends RunningServer {
  /** Results keep the order of sending. */
  readonly send: (event: ControlEventInput) => Promise<SentWebhook[]>;
  readonly sendRaw: (bytes: Uint8Array) => Promise<SentWebhook>;
  readonly sendHandshake: (verifyToken?: string) => Promise<Handshake>;
  readonly consent: (change: ConsentControlInput) => void;
  /** Fields by Page or business account. */
  readonly subscriptions: Map<string, readonly string[]>;
  readonly media: MediaApi;
  readonly content: ContentApi;
  readonly messaging: MessagingApi;
}

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { clientId = 'demo-app' } = options;
  const poster = createWebhookPoster(options);
  const { consent, media, content, messaging, answers } = createApis(options, { poster, clientId });

  async function send(input: unknown): Promise<SentWebhook[]> {
    const event = parseInput(controlEvent, input);
    messaging.recordEvent(event);
    const businessOf = (id: string) => numberOf(consent.accounts.state().numbers, id).businessId;
    const sent: SentWebhook[] = [];
    for (const item of eventItems(event, { nowMs: Date.now(), businessOf })) {
      const bytes = encodeWebhook(envelope({ items: [item], realWords: event.realWords }));
      const ids = item.platformMessageId === null ? [] : [item.platformMessageId];
      sent.push(await sendBytes(bytes, ids));
      if (event.duplicate) sent.push(await sendBytes(bytes, ids));
    }
    return sent;
  }

  async function sendBytes(bytes: Uint8Array, platformMessageIds: readonly string[] = []): Promise<SentWebhook> {
    return { ...(await poster.post(bytes)), platformMessageIds, bodySha256: hash('sha256', bytes) };
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (`${request.method} ${request.url}`) {
      case 'GET /healthz':
        return sendJson(response, 200, { status: 'ok' });
      case 'POST /control/events':
        return sendJson(response, 200, { sent: await send(await readJson(request)) });
      default:
        for (const answer of answers) {
          if (await answer(request, response)) return;
        }
        throw new RequestRefused(
          404,
          'Unknown address. The simulator serves /control/…, /dialog/oauth, /media, /healthz and /v<version>/….',
        );
    }
  }

  const server = await listen({
    port: options.port,
    hosts: options.hosts ?? [],
    onRequest: (request, response) => {
      route(request, response).catch((error: unknown) => sendError(response, error));
    },
  });
  return {
    ...server,
    send,
    sendRaw: (bytes) => sendBytes(bytes),
    sendHandshake: (verifyToken = options.verifyToken) => sendHandshake(options.webhookUrl, verifyToken),
    consent: consent.control,
    subscriptions: consent.accounts.subscriptions,
    media,
    content,
    messaging,
    async stop() {
      messaging.reset();
      await poster.close();
      await server.stop();
    },
  };
}

function createApis(
  options: PlatformOptions,
  { poster, clientId }: { readonly poster: WebhookPoster; readonly clientId: string },
) {
  const { appSecret } = options;
  const consent = createConsent({ clientId, appSecret });
  const content = createContent({
    appSecret,
    sendItem: (item) => void poster.post(encodeWebhook(envelope({ items: [item] }))),
  });
  const { store, recordSent } = content;
  const media = createMedia({ ...options.media, appSecret, store });
  const messaging = createMessaging({
    ...options.messaging,
    poster,
    appSecret,
    accounts: consent.accounts,
    onDirect: recordSent,
    commentOf(id) {
      const comment = store.get('comment', id);
      return comment && { from: comment.from.id, atMs: comment.createdAtMs };
    },
  });
  // Consent is first, because it answers the reads of Pages that ask for a token. Content refuses unknown objects.
  const answers = [consent.answer, messaging.answer, media.answer, content.answer];
  return { consent, media, messaging, content, answers };
}

/** The service must answer 200 with the challenge. */
async function sendHandshake(webhookUrl: string, verifyToken = ''): Promise<Handshake> {
  const challenge = String(Math.floor(Math.random() * 2 ** 31));
  const url = new URL(webhookUrl);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', verifyToken);
  const { statusCode, body } = await httpRequest(url);
  return { status: statusCode, body: await body.text(), challenge };
}
