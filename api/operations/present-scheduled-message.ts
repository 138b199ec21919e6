import { recipientsOf } from '../../db/operations/recipient.ts';
import type { ScheduledMessageRecord } from '../../db/operations/scheduled-messages.ts';
import type { ScheduledMessageBody } from '../../openapi/operations/scheduled-message-schema.ts';

export function presentScheduledMessage(
  scheduled: ScheduledMessageRecord,
  content: object | null,
): ScheduledMessageBody {
  return {
    scheduledMessageId: scheduled.publicId,
    channelId: scheduled.channelPublicId,
    sendAt: scheduled.sendAt.toISOString(),
    status: scheduled.status,
    reason: scheduled.reason,
    statusDetail: scheduled.statusDetail,
    refusalCode: scheduled.refusalCode,
    recipient: recipientsOf(content)[0] ?? null,
    message: content && { ...content },
    platformMessageId: scheduled.platformMessageId,
    createdBy: scheduled.createdBy,
    createdAt: scheduled.createdAt.toISOString(),
    endedAt: scheduled.endedAt?.toISOString() ?? null,
  };
}

export function scheduledMessageLocation({ channelPublicId, publicId }: ScheduledMessageRecord): string {
  return `/channels/${channelPublicId}/scheduled-messages/${publicId}`;
}
