import type { Connection } from '../../profiles/connection.ts';

/** The records whose IDs the shell completes. `profile` is local. */
export const idKinds = ['channel', 'workspace', 'delivery', 'replay', 'alert', 'subscription', 'profile'] as const;
export type IdKind = (typeof idKinds)[number];

export interface CompletedId {
  readonly id: string;
  readonly label: string;
}

/** The newest records suffice: who looks for an older one has its ID. */
const query = { limit: 100 };

/** Subscriptions belong to a channel, which the command line names before them. */
export async function readIds(
  connection: Connection,
  { kind, ch }: { readonly kind: Exclude<IdKind, 'profile'>; readonly ch: string | undefined },
): Promise<CompletedId[]> {
  switch (kind) {
    case 'channel': {
      const { channels } = await (await connection.inWorkspace()).get('/platform/channels', { params: { query } });
      return channels.map(({ id, type, displayName }) => ({ id, label: `${type} ${displayName}` }));
    }
    case 'workspace': {
      const client = await connection.client();
      const org = await connection.organizationId();
      const params = { path: { org }, query };
      const { workspaces } = await client.get('/organizations/{org}/workspaces', { params });
      return workspaces.map(({ id, name }) => ({ id, label: name }));
    }
    case 'delivery': {
      const { deliveries } = await (await connection.inWorkspace()).get('/deliveries', { params: { query } });
      return deliveries.map(({ deliveryId, status, eventType }) => ({
        id: deliveryId,
        label: `${status} ${eventType}`,
      }));
    }
    case 'replay': {
      const { replays } = await (await connection.inWorkspace()).get('/replays', { params: { query } });
      return replays.map(({ replayId, status, scope }) => ({ id: replayId, label: `${status} ${scope}` }));
    }
    case 'alert': {
      const client = await connection.client();
      const org = await connection.organizationId();
      const { alerts } = await client.get('/organizations/{org}/alerts', { params: { path: { org }, query } });
      return alerts.map(({ alertId, title }) => ({ id: alertId, label: title }));
    }
    case 'subscription': {
      if (ch === undefined) return [];
      const params = { path: { ch }, query };
      const { subscriptions } = await (await connection.client()).get('/channels/{ch}/subscriptions', { params });
      return subscriptions.map(({ subscriptionId, label, url }) => ({ id: subscriptionId, label: label ?? url }));
    }
  }
}
