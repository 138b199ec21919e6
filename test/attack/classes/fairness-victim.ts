import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call } from '../cases/http-call.ts';
import { envelopeOf, INGEST, postSigned } from '../cases/signed-events.ts';
import { objectIn } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';
import { until } from '../../harness/until.ts';
import { startFairnessReceiver, webhookAt } from './fairness-receivers.ts';

/** What a harmless tenant does. Each act returns how long it took in milliseconds, and throws if it was not served. */
export interface FairnessVictim {
  readonly acts: Readonly<Record<string, () => Promise<number>>>;
  stop(): Promise<void>;
}

export class NotServed extends Error {}

const MAIL_WAIT_MS = 60_000;

export async function startVictim(world: World): Promise<FairnessVictim> {
  const { baseUrl, gatewayUrl = '', held, mailInboxUrl = '', resourceId = '', victim, victimKey = '' } = world;
  const headers = { authorization: `Bearer ${victimKey}`, 'x-workspace-id': victim.workspaceId };
  const seen = new Set<string>();
  // The first attempt of a delivery with this word fails, so that it can be retried.
  const receiver = await startFairnessReceiver(({ path, deliveryId, body }) =>
    path === '/events' && body.includes('fail-once') && !seen.has(deliveryId) ? (seen.add(deliveryId), 500) : 200,
  );
  const api = async (route: string, body?: unknown): Promise<Answer> =>
    served(route, await call(baseUrl, route, { headers, ...(body !== undefined && { body }) }));
  const savedChannelId = await otherChannel(api, victim.channelId);
  const subscriptions = `POST /channels/${victim.channelId}/subscriptions`;
  const events = ['chatapp.message.received'];
  const subscription = idIn(await api(subscriptions, { url: `${receiver.url}/events`, events }), 'subscriptionId');
  const stop = async (): Promise<void> => {
    await call(baseUrl, `DELETE /channels/${victim.channelId}/subscriptions/${subscription}`, { headers });
    await call(baseUrl, `DELETE /webhook-config/${savedChannelId}`, { headers });
    await receiver.stop();
  };
  // The webhook verifies the receiver, whose host would get retries at a low rate otherwise.
  try {
    await api(`PUT /webhook-config/${savedChannelId}`, webhookAt(receiver, '/webhook'));
  } catch (error) {
    await stop();
    throw error;
  }

  const sendEvent = async (text: string): Promise<void> => {
    await sendSigned(world, [textMessage(text)], resourceId);
  };
  const arrivalOf = (text: string) => receiver.arrival(({ path, body }) => path === '/events' && body.includes(text));

  return {
    acts: {
      async 'a subscription'() {
        const url = `${receiver.url}/${randomBytes(6).toString('hex')}`;
        const { ms, result } = await timed(() => api(subscriptions, { url, events, enabled: false }));
        await api(`DELETE /channels/${victim.channelId}/subscriptions/${idIn(result, 'subscriptionId')}`);
        return ms;
      },
      async 'a webhook save'() {
        return (await timed(() => api(`PUT /webhook-config/${savedChannelId}`, webhookAt(receiver, '/webhook')))).ms;
      },
      async 'a list'() {
        return (await timed(() => api('GET /deliveries?limit=50'))).ms;
      },
      async 'a retry'() {
        const text = `fail-once ${mark()}`;
        await sendEvent(text);
        const { deliveryId } = await arrivalOf(text);
        // A retry during the first attempt changes nothing.
        await until(async () => hasFailed(await api(`GET /deliveries/${deliveryId}`)), { for: 'The failed attempt' });
        const retried = async (): Promise<unknown> => {
          const route = `POST /deliveries/${deliveryId}/retry`;
          const answer = await call(baseUrl, route, { headers });
          // The retry schedule was sooner.
          if (answer.status !== 409) served(route, answer);
          return await receiver.arrival((one) => one.deliveryId === deliveryId && one !== first);
        };
        const first = receiver.arrivals.find((one) => one.deliveryId === deliveryId);
        return (await timed(retried)).ms;
      },
      async 'a sign-in mail'() {
        const email = `fair-${mark()}@example.com`;
        const mailed = async (): Promise<void> => {
          served('POST /auth/sign-in', await call(baseUrl, 'POST /auth/sign-in', { body: { email } }));
          const { text } = await call(mailInboxUrl, `GET /messages?to=${email}&waitMs=${MAIL_WAIT_MS}`);
          if (!text.includes(email)) throw new NotServed('No mail came within a minute.');
        };
        return (await timed(mailed)).ms;
      },
      async 'a gateway call'() {
        const route = `GET /platform/v25.0/${held?.resourceId}?fields=name`;
        const bearer = { authorization: `Bearer ${held?.token}` };
        return (await timed(async () => served(route, await call(gatewayUrl, route, { headers: bearer })))).ms;
      },
      async 'an event'() {
        const text = `on time ${mark()}`;
        const arrived = async (): Promise<unknown> => (await sendEvent(text), await arrivalOf(text));
        return (await timed(arrived)).ms;
      },
    },
    stop,
  };
}

async function otherChannel(api: (route: string) => Promise<Answer>, channelId: string): Promise<string> {
  const { channels } = JSON.parse((await api('GET /platform/channels')).text) as { channels: { id: string }[] };
  const other = channels.find(({ id }) => id !== channelId);
  if (other === undefined) throw new Error('The victim has a single channel.');
  return other.id;
}

const hasFailed = ({ text }: Answer): boolean => objectIn(text)?.['status'] === 'retrying';

function served(route: string, answer: Answer): Answer {
  if (answer.status < 300) return answer;
  throw new NotServed(`${route} answers ${answer.status}: ${answer.text.slice(0, 200)}`);
}

async function timed<Result>(act: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const beganAtMs = performance.now();
  const result = await act();
  return { ms: performance.now() - beganAtMs, result };
}

export const mark = (): string => randomBytes(8).toString('hex');

export function idIn({ text }: Answer, name: string): string {
  const body = objectIn(text);
  const found = body?.[name] ?? Object.values(body ?? {}).map((value) => objectIn(JSON.stringify(value))?.[name])[0];
  if (typeof found !== 'string') throw new Error(`There is no ${name} in ${text.slice(0, 200)}`);
  return found;
}

export function textMessage(body: string): Readonly<Record<string, unknown>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  // Each has a sender of its own, because a failing delivery holds back its conversation.
  return { id: `fair.${mark()}`, from: `1555${mark()}`, timestamp, type: 'text', text: { body } };
}

/** Sends messages to a number. */
export async function sendSigned(world: World, messages: readonly unknown[], resourceId: string): Promise<void> {
  served(INGEST, await postSigned(world, envelopeOf(resourceId, messages)));
}

export const pause = (ms: number): Promise<void> => sleep(ms);
