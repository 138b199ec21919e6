import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'undici';
import type { ConsentControlInput } from './consent/accounts.ts';
import { createConsent } from './consent/consent.ts';
import { createContent, type ContentApi } from './content/content.ts';
import { controlEvent, type ControlEventInput } from './webhooks/control-event.ts';
import {
  listen,
  parseInput,
  readBody,
  readJson,
  RequestRefused,
  sendError,
  sendJson,
  type RunningServer,
} from './servers/http-server.ts';
import { createMedia, type MediaOptions, type MediaApi } from './media/media.ts';
import type { Post } from './media/store.ts';
import { numberOf } from './messaging/chatapp-number.ts';
import { createMessaging, type MessagingOptions, type MessagingApi } from './messaging/messaging.ts';
import { createWebhookPoster, type WebhookPoster, type WebhookRetries } from './webhooks/post-webhook.ts';
import { sendBytes, sendEvent, type SentWebhook } from './webhooks/send-event.ts';
import { encodeWebhook } from './webhooks/encode.ts';
import { envelope } from './webhooks/envelope.ts';

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

export interface Handshake {
  readonly status: number;
  readonly body: string;
  readonly challenge: string;
}

export interface Platform extends RunningServer {
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

/** The platform's largest body is about 3 MB. */
const MAX_RAW_BYTES = 8 * 1024 * 1024;

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { clientId = 'demo-app' } = options;
  const poster = createWebhookPoster(options);
  const apis = createApis(options, { poster, clientId });
  const { consent, watched } = apis;
  const source = () => ({
    nowMs: Date.now(),
    businessOf: (id: string) => numberOf(consent.numbers(), id).businessId,
  });

  const sender = {
    send: (event: ControlEventInput) => sendEvent(watched, parseInput(controlEvent, event), source()),
    sendRaw: (bytes: Uint8Array) => sendBytes(watched, { bytes, platformMessageIds: [] }),
    sendHandshake: (verifyToken = options.verifyToken) => sendHandshake(options.webhookUrl, verifyToken),
    consent: (change: ConsentControlInput) => consent.control(change),
    subscriptions: consent.subscriptions,
    media: apis.media,
    content: apis.content,
    messaging: apis.messaging,
  };

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (`${request.method} ${request.url}`) {
      case 'GET /healthz':
        return sendJson(response, 200, { status: 'ok' });
      case 'POST /control/events': {
        const event = parseInput(controlEvent, await readJson(request));
        return sendJson(response, 200, { sent: await sendEvent(watched, event, source()) });
      }
      case 'POST /control/raw': {
        const bytes = await readBody(request, MAX_RAW_BYTES);
        return sendJson(response, 200, { sent: [await sender.sendRaw(bytes)] });
      }
      case 'POST /control/handshake':
        return sendJson(response, 200, await sender.sendHandshake());
      default:
        for (const answer of apis.answers) {
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
    ...sender,
    async stop() {
      apis.messaging.reset();
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
  const otherPosts = (): Post[] => content.seededPosts();
  const isPage = (id: string): boolean =>
    content.objects('account').some((each) => each.id === id && each.product === 'pageapp');
  const { answer: answerMedia, ...media } = createMedia({ ...options.media, appSecret, otherPosts, isPage });
  const {
    answer: answerMessaging,
    watched,
    ...messaging
  } = createMessaging({
    ...options.messaging,
    factsOf: consent.factsOf,
    numbers: consent.numbers,
    register: consent.register,
    poster,
    appSecret,
    onDirect: (message, recipientId) => content.recordSent(message, recipientId),
  });

  const {
    answer: answerContent,
    answerUnknown,
    ...content
  } = createContent({
    appSecret,
    sendItem: (item) => void watched.post(encodeWebhook(envelope({ items: [item] }))),
    publishedPosts: media.posts,
    accountOfToken: consent.accountOfToken,
  });
  // First, because it answers the reads of Pages that ask for a token.
  const answers = [consent.answer, answerMessaging, answerMedia, answerContent, answerUnknown];
  return { consent, media, messaging, content, watched, answers };
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
