import { type ApiClient, untilDone } from './api-client.ts';
import type { ConnectedChannel, System } from './system.ts';
import { until } from '../until.ts';

async function listDeliveries(api: ApiClient, { publicId }: ConnectedChannel) {
  const { body } = await api.callUntilDone(`GET /deliveries?scope=channel:${publicId}&limit=100`);
  const deliveries: { deliveryId: string; status: string; skipReason: string | null; platformMessageId: string }[] =
    body.deliveries;
  return deliveries.reverse();
}

/** Waits until the deliveries have these statuses, oldest first. Returns their ids. */
export async function untilStatuses(
  api: ApiClient,
  { channel, statuses, timeoutMs }: { channel: ConnectedChannel; statuses: readonly string[]; timeoutMs?: number },
): Promise<string[]> {
  const wanted = statuses.join();
  const deliveries = await until(
    async () => {
      const found = await listDeliveries(api, channel);
      return found.map(({ status, skipReason }) => skipReason ?? status).join() === wanted && found;
    },
    {
      for: `The statuses ${wanted}`,
      detail: () => listDeliveries(api, channel),
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
  );
  return deliveries.map(({ deliveryId }) => deliveryId);
}

/** Gives the webhook of a channel its own schedule instead of that of the installation. */
export async function setRetrySchedule(
  api: ApiClient,
  { channel, steps }: { channel: ConnectedChannel; steps: readonly number[] },
): Promise<void> {
  const change = { destination: 'webhook', retrySchedule: { steps } };
  const { status, body } = await api.callUntilDone(`PATCH /channels/${channel.publicId}/destinations`, change);
  if (status !== 200) throw new Error(`The schedule was answered ${status}: ${JSON.stringify(body)}`);
}

/**
 * Requests a retry until it is accepted. A request with an unknown outcome may have been accepted, so that a repeat
 * finds the delivery delivered.
 */
export async function retryDelivery(api: ApiClient, deliveryId: string): Promise<void> {
  let count = 0;
  const { status, body } = await untilDone(() => {
    count++;
    return api.call(`POST /deliveries/${deliveryId}/retry`);
  });
  const isDone = status === 202 || (count > 1 && body.code === 'DELIVERY_ALREADY_DELIVERED');
  if (!isDone) throw new Error(`The retry was answered ${status}: ${JSON.stringify(body)}`);
}

/** Waits until every delivery of the installation is delivered. */
export async function untilAllDelivered({ db }: Pick<System, 'db'>, timeoutMs?: number): Promise<void> {
  const waiting = () => db('deliveries').whereNot({ status: 'delivered' }).limit(1);
  const isDone = async () => (await waiting()).length === 0;
  await until(isDone, { for: 'The last settled delivery', ...(timeoutMs !== undefined && { timeoutMs }) });
}
