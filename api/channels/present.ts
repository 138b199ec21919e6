import type { Knex } from 'knex';
import type { ChannelBody } from '../../openapi/channels/schema.ts';
import { type ChannelDelivery, readDeliveryStates } from '../../db/channels/delivery-states.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';

/** Reads the state of the destinations of all given channels at once. */
export async function presentChannels(db: Knex, channels: readonly ChannelRecord[]): Promise<ChannelBody[]> {
  const states = await readDeliveryStates(
    db,
    channels.map(({ id }) => id),
  );
  return channels.map((channel) => presentOne(channel, states.get(channel.id)));
}

export async function presentChannel(db: Knex, channel: ChannelRecord): Promise<ChannelBody> {
  const states = await readDeliveryStates(db, [channel.id]);
  return presentOne(channel, states.get(channel.id));
}

function presentDelivery({ state, reason, subscriptionPublicId, since }: ChannelDelivery): ChannelBody['delivery'] {
  return { state, reason, destination: subscriptionPublicId ?? 'webhook', since: since?.toISOString() ?? null };
}

function presentOne(channel: ChannelRecord, delivery: ChannelDelivery | undefined): ChannelBody {
  return {
    id: channel.publicId,
    type: channel.type,
    workspaceId: channel.workspacePublicId,
    displayName: channel.displayName,
    metaResourceId: channel.resourceId,
    phoneNumberId: channel.type === 'chatapp' ? channel.resourceId : null,
    businessAccountId: channel.businessAccountId,
    connectionType: channel.connectionType,
    credentialId: channel.credentialPublicId,
    connected: channel.connected,
    disconnectedReason: channel.disconnectedReason,
    credentialRefusedAt: channel.credentialRefusedAt?.toISOString() ?? null,
    credentialRefusedReason: channel.credentialRefusedReason,
    forwardingEnabled: channel.forwardingEnabled,
    webhookUrl: channel.webhookUrl,
    delivery: delivery ? presentDelivery(delivery) : null,
    linkedChannelId: channel.linkedChannelPublicId,
    onboardingLinkId: channel.onboardingLinkPublicId,
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}
