import type { OutboundCallBody } from '../../openapi/operations/outbound-call-schema.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import type { OutboundCallRecord } from '../../db/operations/list-outbound-calls.ts';

export function presentOutboundCall({ publicId }: ChannelRecord, call: OutboundCallRecord): OutboundCallBody {
  const { id: _number, startedAt, ...shown } = call;
  return { channelId: publicId, ...shown, startedAt: startedAt.toISOString() };
}
