import type { OutboundCallBody } from '../../contract/schemas/outbound-call.ts';
import type { ChannelRecord } from '../../db/queries/channel-records.ts';
import type { OutboundCallRecord } from '../../db/queries/outbound-call-page.ts';

export function presentOutboundCall({ publicId }: ChannelRecord, call: OutboundCallRecord): OutboundCallBody {
  const { id: _number, startedAt, ...shown } = call;
  return { channelId: publicId, ...shown, startedAt: startedAt.toISOString() };
}
