import type { ExecutionContext } from 'ava';
import { startSender } from './platform-sender.ts';
import type { SharedSystem } from './shared-system.ts';
import type { System } from './system.ts';

type Script = Parameters<ReturnType<System['receiver']['webhook']>['set']>[0];

/** Adds a channel whose webhook is at the receiver, and a platform that sends to it. */
export async function connectedWith<S extends SharedSystem | System>(
  t: ExecutionContext<unknown>,
  system: S,
  script: Script = {},
) {
  const sender = await startSender(t, system);
  const hook = system.receiver.webhook('connected');
  hook.set(script);
  const connected = await system.channel({ webhookUrl: hook.url });
  return { ...system, sender, hook, connected };
}

/** Adds a channel with a subscription at the first of two webhooks of the receiver. The secret is that of the channel. */
export async function subscribedTo<S extends SharedSystem | System>(t: ExecutionContext<unknown>, system: S) {
  const { api, receiver } = system;
  const sender = await startSender(t, system);
  const connected = await system.channel();
  const { body: hmac } = await api.call(`GET /webhook-config/${connected.publicId}/hmac`);
  const first = receiver.webhook('first');
  const second = receiver.webhook('second');
  for (const hook of [first, second]) hook.set({ secret: hmac.hmacSecret });
  const list = `/channels/${connected.publicId}/subscriptions`;
  const created = await api.callUntilDone(`POST ${list}`, { url: first.url, events: ['chatapp.message.received'] });
  t.is(created.status, 201, JSON.stringify(created.body));
  const subscriptionId: string = created.body.subscription.subscriptionId;
  return { ...system, sender, connected, first, second, subscriptionId, route: `${list}/${subscriptionId}` };
}
