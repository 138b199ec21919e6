import type { Knex } from 'knex';
import { type ChannelDelivery, readDeliveryStates } from '../../db/channels/delivery-states.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';

/** Reads the state of the destinations of all given channels at once. */
export async function presentChannels(db: Knex, channels: readonly ChannelRecord[]) {
  const states = await readDeliveryStates(
    db,
    channels.map(({ id }) => id),
  );
  return channels.map((channel) => presentOne(channel, states.get(channel.id)));
}

export async function presentChannel(db: Knex, channel: ChannelRecord) {
  const states = await readDeliveryStates(db, [channel.id]);
  return presentOne(channel, states.get(channel.id));
}

function presentOne(channel: ChannelRecord, delivery: ChannelDelivery | undefined) {
  return {
    ...channel,
    id: channel.publicId,
    workspaceId: channel.workspacePublicId,
    metaResourceId: channel.resourceId,
    phoneNumberId: channel.type === 'chatapp' ? channel.resourceId : null,
    credentialId: channel.credentialPublicId,
    delivery: delivery ? { ...delivery, destination: delivery.subscriptionPublicId ?? 'webhook' } : null,
    linkedChannelId: channel.linkedChannelPublicId,
    onboardingLinkId: channel.onboardingLinkPublicId,
  };
}
