import type { ChannelRecord } from '../../db/channels/records.ts';
import type { OutboundCallBody } from '../../openapi/operations/outbound-call-schema.ts';
import { outboundCallRoutes as routes } from '../../openapi/operations/outbound-call-routes.ts';
import { listOutboundCalls, type OutboundCallRecord } from '../../db/operations/list-outbound-calls.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { invalidCursor, readPage } from '../routing/page.ts';

export function mountOutboundCallRoutes(mount: Mount): void {
  const { readDb } = mount.deps;

  mountOperation(mount, routes.listOutboundCalls, async ({ channel, query }) => {
    const { requestId, since, until, cursor } = query;
    const page = await readPage(query.limit, {
      read: (limit) =>
        listOutboundCalls(readDb, {
          channelId: channel.id,
          workspaceId: channel.workspaceId,
          requestId,
          since: since === undefined ? undefined : new Date(since),
          until: until === undefined ? undefined : new Date(until),
          before: cursor === undefined ? undefined : numberOf(cursor),
          limit,
        }),
      cursorOf: ({ id }) => id.toString(36),
    });
    return {
      outboundCalls: page.items.map((call) => presentOutboundCall(channel, call)),
      nextCursor: page.nextCursor,
    };
  });
}

/** The cursor is a call's id in base 36, which is not secret. */
function numberOf(cursor: string): number {
  const number = /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw invalidCursor();
  return number;
}

function presentOutboundCall({ publicId }: ChannelRecord, call: OutboundCallRecord): OutboundCallBody {
  const { id: _number, startedAt, ...shown } = call;
  return { channelId: publicId, ...shown, startedAt: startedAt.toISOString() };
}
