import type { ExecutionContext } from 'ava';
import type { ChannelType } from '../../../contract/event-types.ts';
import { aLedgerDelivery, aWebhook, type LedgerDelivery } from '../deliveries/ledger.ts';
import { aChannel, aTenant } from '../tenants.ts';
import { testApi, type TestApiOptions } from './api.ts';

/** Starts an API with a tenant. `at` is its key in its workspace. */
export async function tenantStage(t: ExecutionContext<unknown>, options: TestApiOptions = {}) {
  const api = await testApi(t, options);
  const tenant = await aTenant(api.db);
  const { apiKey: key, organization, workspace } = tenant;
  const at = { key, workspace: workspace.publicId };
  return { ...api, ...tenant, tenant, key, at, org: `/organizations/${organization.publicId}` };
}

export interface ChannelStageOptions extends TestApiOptions {
  readonly type?: ChannelType;
  readonly resourceId?: string;
}

/** Adds a channel of the workspace. */
export async function channelStage(
  t: ExecutionContext<unknown>,
  { type, resourceId, ...options }: ChannelStageOptions = {},
) {
  const stage = await tenantStage(t, options);
  const account = { ...(type && { type }), ...(resourceId !== undefined && { resourceId }) };
  return { ...stage, channel: await aChannel(stage.db, stage.workspace, account) };
}

/** Adds a webhook of the channel. `deliver` stores a delivery to it. */
export async function webhookStage(t: ExecutionContext<unknown>, options: ChannelStageOptions = {}) {
  const stage = await channelStage(t, options);
  const { db, channel } = stage;
  const destinationId = await aWebhook(db, channel);
  const deliver = (delivery: LedgerDelivery = {}) => aLedgerDelivery(db, channel, { destinationId, ...delivery });
  return { ...stage, destinationId, deliver };
}
