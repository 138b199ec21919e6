import { api, apiIn } from '../../session/api.ts';

export interface DisabledDestination {
  readonly workspaceId: string;
  readonly channelId: string;
  /** `webhook`, or the id of a subscription. */
  readonly destination: string;
}

/** Probes a webhook again with its stored verify token, and enables a subscription. */
export async function enableAgain({ workspaceId, channelId: ch, destination }: DisabledDestination): Promise<void> {
  if (destination !== 'webhook') {
    const params = { path: { ch, sub: destination } };
    await api.patch('/channels/{ch}/subscriptions/{sub}', { params, body: { enabled: true } });
    return;
  }
  const params = { path: { ch } };
  const { webhookUrl } = await apiIn(workspaceId).get('/webhook-config/{ch}', { params });
  if (webhookUrl === null) throw new Error('The channel has no webhook any more. Reload the page.');
  await apiIn(workspaceId).put('/webhook-config/{ch}', { params, body: { webhookUrl } });
}
