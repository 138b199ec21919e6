import type { ExecutionContext } from 'ava';
import { createApiShares } from '../../../api/requests/api-shares.ts';
import { testApi } from './api.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { openEventStream } from '../connections/event-stream.ts';
import { aWebhook } from '../deliveries/ledger.ts';
import { aChannel, aTenant } from '../tenants.ts';

const quick = { pollMs: 10, heartbeatMs: 50, stalledMs: 60_000 };

export async function streamStage(
  t: ExecutionContext<unknown>,
  { resourceId = 'res-1', slots = createApiShares().streams, times = quick, accessCheckMs = 20 } = {},
) {
  const api = await testApi(t, { streamTimes: times, shares: { streams: slots }, accessCheckMs });
  const { db, databaseUrl, url } = api;
  const aPool = (connections = 2) => testHotPool(t, databaseUrl, { connections });
  const tenant = await aTenant(db);
  const channel = await aChannel(db, tenant.workspace, { resourceId });
  await aWebhook(db, channel);
  const path = `/deliveries/stream?scope=channel:${channel.publicId}`;
  const access = { key: tenant.apiKey, workspace: tenant.workspace.publicId };
  const headers = { authorization: `Bearer ${tenant.apiKey}`, 'x-workspace-id': tenant.workspace.publicId };
  const openAt = (scope: string, lastEventId?: string) =>
    openEventStream(t, `${url}/deliveries/stream?scope=${scope}`, {
      ...headers,
      ...(lastEventId && { 'last-event-id': lastEventId }),
    });
  const open = (lastEventId?: string) => openAt(`channel:${channel.publicId}`, lastEventId);
  const openWorkspace = (lastEventId?: string) => openAt(`workspace:${tenant.workspace.publicId}`, lastEventId);
  return { ...api, ...tenant, slots, aPool, pool: aPool(), channel, path, access, open, openAt, openWorkspace };
}
