import { scheduledMessageRoutes as routes } from '../../openapi/operations/scheduled-message-routes.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  findScheduledMessage,
  listScheduledMessages,
  openScheduledMessage,
  type ScheduledMessageRecord,
} from '../../db/operations/scheduled-messages.ts';
import { auditContext } from '../access/audit-context.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';
import { presentScheduledMessage, scheduledMessageLocation } from './present-scheduled-message.ts';
import { cancelMessage, changeMessage, scheduleMessage } from './schedule-message.ts';

export function mountScheduledMessageRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.scheduleMessage, async (request) => {
    const { channel, body, idempotencyKey, principal, setHeader } = request;
    const createdBy = principal.credentialId;
    const audit = auditContext(request);
    const publicId = await scheduleMessage(deps, { channel, input: body, idempotencyKey, createdBy, audit });
    const message = await findOne(channel, publicId);
    setHeader('location', scheduledMessageLocation(message));
    return presentWithContent(message);
  });

  mountOperation(mount, routes.listScheduledMessages, async ({ channel, query }) => {
    const { status, cursor: after } = query;
    const page = await readPage(query.limit, {
      read: (limit) => listScheduledMessages(db, { ...placeOf(channel), status, after, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    const scheduledMessages = page.items.map((message) => ({ ...presentWithContent(message), message: null }));
    return { scheduledMessages, nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getScheduledMessage, async ({ channel, params }) => {
    return presentWithContent(await findOne(channel, params.sm));
  });

  mountOperation(mount, routes.changeScheduledMessage, async (request) => {
    const { channel, params, body } = request;
    const message = await findOne(channel, params.sm);
    await changeMessage(deps, { channel, message, change: body, audit: auditContext(request) });
    return presentWithContent(await findOne(channel, params.sm));
  });

  mountOperation(mount, routes.cancelScheduledMessage, async (request) => {
    const { channel, params } = request;
    await cancelMessage(deps, { message: await findOne(channel, params.sm), audit: auditContext(request) });
    return presentWithContent(await findOne(channel, params.sm));
  });

  async function findOne(channel: ChannelRecord, publicId: string): Promise<ScheduledMessageRecord> {
    const message = await findScheduledMessage(db, { ...placeOf(channel), publicId });
    if (!message) throw new NotFound('SCHEDULED_MESSAGE_NOT_FOUND');
    return message;
  }

  function presentWithContent(message: ScheduledMessageRecord) {
    return presentScheduledMessage(message, openScheduledMessage(deps.secretBox, message));
  }
}

/** Messages of an earlier workspace are visible only there. */
function placeOf({ id, workspaceId }: ChannelRecord) {
  return { channelId: id, workspaceId };
}
