import type { ChannelBody } from '../../openapi/channels/schema.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';

export function presentChannel(channel: ChannelRecord): ChannelBody {
  return {
    id: channel.publicId,
    type: channel.type,
    workspaceId: channel.workspacePublicId,
    displayName: channel.displayName,
    metaResourceId: channel.resourceId,
    phoneNumberId: channel.type === 'chatapp' ? channel.resourceId : null,
    connectionType: channel.connectionType,
    credentialId: channel.credentialPublicId,
    connected: channel.connected,
    disconnectedReason: channel.disconnectedReason,
    forwardingEnabled: channel.forwardingEnabled,
    webhookUrl: channel.webhookUrl,
    linkedChannelId: channel.linkedChannelPublicId,
    onboardingLinkId: channel.onboardingLinkPublicId,
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}
