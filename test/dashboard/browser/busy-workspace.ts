import { image } from '../../harness/system/photo-account.ts';
import { until } from '../../harness/until.ts';
import { insertPastDeliveries, destinationOf } from './past-deliveries.ts';
import type { DashboardSystem } from './dashboard-system.ts';

type Channel = Awaited<ReturnType<DashboardSystem['channel']>>;

/** Creates a workspace with channels in several states and returns its pages by name. */
export async function createBusyWorkspace(
  system: DashboardSystem,
  { beforeReplay = async () => {} }: { readonly beforeReplay?: () => Promise<void> } = {},
): Promise<readonly (readonly [name: string, path: string])[]> {
  const { api, sender } = system;
  const { bakery, books, pine } = await createChannels(system);
  for (const text of ['Good morning! Is the rye bread back?', 'Two loaves, please']) {
    await sender.message(bakery, { from: '15550103344', text });
  }
  for (let n = 0; n < 7; n++) await sender.message(books, { from: `1555010990${n}`, text: 'Is the shop open today?' });
  const failedId = await findFailedDelivery(system, books);
  await beforeReplay();
  const replayId = await startReplay(system, bakery);
  const containers = `/channels/${pine.publicId}/photoapp/containers`;
  const { containerId } = (await api.call(`POST ${containers}`, { ...image, caption: 'Autumn shelves' })).body;
  await scheduleMessages(system, bakery);
  const at = `channels/${bakery.publicId}`;
  return [
    ['overview', ''],
    ['channels', 'channels'],
    ['channel', at],
    ['channel-failing', `channels/${books.publicId}`],
    ['webhook', `${at}/webhook`],
    ['subscriptions', `${at}/subscriptions`],
    ['scheduled-messages', `${at}/scheduled-messages`],
    ['token', `${at}/token`],
    ['settings', `${at}/settings`],
    ['containers', `channels/${pine.publicId}/containers`],
    ['container', `channels/${pine.publicId}/containers/${containerId}`],
    ['calls', `channels/${pine.publicId}/calls`],
    ['deliveries', `deliveries?channel=${bakery.publicId}`],
    ['deliveries-all', 'deliveries'],
    ['delivery', `deliveries/${failedId}`],
    ['replays', 'replays'],
    ['new-replay', 'replays/new'],
    ['replay', `replays/${replayId}`],
  ];
}

const json = { 'content-type': 'application/json' };

async function createChannels({ api, channel, db, receiver }: DashboardSystem) {
  const good = receiver.webhook('orders');
  const bad = receiver.webhook('broken');
  good.set({ then: { status: 200, body: '{"ok":true}', headers: json } });
  bad.set({ then: { status: 503, body: '{"error":"database is away"}', headers: json } });
  const bakery = await channel({ webhookUrl: good.url });
  const books = await channel({ webhookUrl: bad.url });
  const pine = await channel({ type: 'photoapp', webhookUrl: good.url });
  const harbour = await channel({ type: 'pageapp' });
  for (const [one, display_name] of [
    [bakery, 'Sunrise Bakery +1 555 010 0011'],
    [books, 'Harbour Books +1 555 010 0012'],
    [pine, 'pine.and.co'],
    [harbour, 'Harbour Books'],
  ] as const) {
    await db('channels').where({ id: one.id }).update({ display_name });
  }
  const destinationId = await destinationOf(db, bakery);
  await insertPastDeliveries(db, { channel: bakery, destinationId, count: 1_200, spanSeconds: 3_500 });
  await api.call(`POST /channels/${bakery.publicId}/subscriptions`, {
    url: receiver.webhook('statuses').url,
    events: ['chatapp.message.status'],
    label: 'Status board',
  });
  await api.call(`POST /channels/${bakery.publicId}/listeners`, { label: 'laptop of Ann' });
  return { bakery, books, pine };
}

async function scheduleMessages({ api }: DashboardSystem, { publicId }: Channel): Promise<void> {
  const path = `/channels/${publicId}/scheduled-messages`;
  const ids: string[] = [];
  for (const hours of [2, 26, 24 * 7]) {
    const sendAt = new Date(Date.now() + hours * 3_600_000).toISOString();
    const message = { to: '15550103344', text: 'Your loaves are ready to collect' };
    ids.push((await api.call(`POST ${path}`, { sendAt, message })).body.scheduledMessageId);
  }
  await api.call(`POST ${path}/${ids[1]}/cancel`);
}

async function findFailedDelivery({ api }: DashboardSystem, { publicId }: Channel): Promise<string> {
  const route = `GET /deliveries?scope=channel:${publicId}&status=retrying&limit=1`;
  return await until(async () => (await api.call(route)).body.deliveries[0]?.deliveryId, { for: 'a failed delivery' });
}

/** The replay is slow enough to stay in progress during the test. */
async function startReplay({ api }: DashboardSystem, { publicId }: Channel): Promise<string> {
  const nowMs = Date.now();
  const span = { since: new Date(nowMs - 3_600_000).toISOString(), until: new Date(nowMs + 60_000).toISOString() };
  const body = { scope: `channel:${publicId}`, ...span, statuses: ['delivered'], ratePerSecond: 5 };
  return (await api.call('POST /replays', body)).body.replayId;
}
