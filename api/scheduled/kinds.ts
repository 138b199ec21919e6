import { previewOf } from '../../contract/deliveries/preview.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ScheduledMessageStatus, ScheduledPostStatus } from '../../contract/scheduled/scheduled.ts';
import { findChannelAccount } from '../../db/channels/account.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { recipientsOf } from '../../db/operations/recipient.ts';
import { openMessage, type ScheduledContent, type ScheduledRecord } from '../../db/scheduled/records.ts';
import type { ScheduledMessageBody, ScheduledPostBody } from '../../openapi/scheduled/routes.ts';
import { refuseUnsendable } from '../../platform/operations/messages.ts';
import { MessageNotAllowed } from '../../platform/operations/native-message.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, InvalidRequest } from '../requests/errors.ts';
import type { Presentable } from '../routing/present-answer.ts';
import { credentialRefused, disconnected, uncallable } from '../requests/uncallable.ts';

type ContentOf<Kind> = Extract<ScheduledContent, { readonly kind: Kind }>['content'];

/** What differs between messages and posts. */
export interface KindOfScheduled<Kind extends ScheduledContent['kind'], Body> {
  readonly kind: Kind;
  readonly path: string;
  readonly timeField: string;
  readonly notFound: ErrorCode;
  readonly notScheduled: ErrorCode;
  readonly tooMany: (max: number) => string;
  /** Throws if this content cannot be scheduled for the channel. */
  readonly requireCallable: (
    deps: ApiDeps,
    request: { readonly channel: ChannelRecord; readonly content: ContentOf<Kind>; readonly isNew: boolean },
  ) => Promise<void>;
  readonly present: (deps: ApiDeps, scheduled: ScheduledRecord) => Body;
}

export const messageKind: KindOfScheduled<'message', Presentable<ScheduledMessageBody>> = {
  kind: 'message',
  path: 'scheduled-messages',
  timeField: 'sendAt',
  notFound: 'SCHEDULED_MESSAGE_NOT_FOUND',
  notScheduled: 'MESSAGE_NOT_SCHEDULED',
  tooMany: (max) => `A channel can have at most ${max} scheduled messages. Cancel some, or wait until they are sent.`,

  async requireCallable({ db, secretBox, platform }, { channel, content }) {
    const account = await findChannelAccount(db, secretBox, channel);
    if (!account) throw disconnected();
    if (account.refusedReason !== null) throw credentialRefused(account.refusedReason);
    try {
      refuseUnsendable(platform.actFor({ ...account, type: channel.type }), content);
    } catch (error) {
      throw error instanceof MessageNotAllowed ? new InvalidRequest(`${error.message}.`) : error;
    }
  },

  present({ secretBox }, scheduled) {
    const message = openMessage(secretBox, scheduled);
    return {
      ...scheduled,
      scheduledMessageId: scheduled.publicId,
      channelId: scheduled.channelPublicId,
      sendAt: scheduled.dueAt,
      status: scheduled.status as ScheduledMessageStatus, // by a constraint of the table
      recipient: recipientsOf(message)[0] ?? null,
      preview: message && previewOf(JSON.stringify(message)),
      message: message && { ...message },
    };
  },
};

export const postKind: KindOfScheduled<'post', Presentable<ScheduledPostBody>> = {
  kind: 'post',
  path: 'photoapp/scheduled-posts',
  timeField: 'publishAt',
  notFound: 'SCHEDULED_POST_NOT_FOUND',
  notScheduled: 'POST_NOT_SCHEDULED',
  tooMany: (max) => `A channel can have at most ${max} scheduled posts. Cancel some, or wait until they start.`,

  /** A changed post is checked when it starts. */
  async requireCallable(_deps, { channel, isNew }) {
    if (!isNew) return;
    if (channel.type !== 'photoapp') {
      const message = `Scheduled posts are for photoapp channels; this is ${channel.type}.`;
      throw new Conflict('CHANNEL_TYPE_MISMATCH', message);
    }
    const refusal = uncallable(channel);
    if (refusal) throw refusal;
  },

  present(_deps, scheduled) {
    return {
      ...scheduled,
      scheduledPostId: scheduled.publicId,
      channelId: scheduled.channelPublicId,
      publishAt: scheduled.dueAt,
      status: scheduled.status as ScheduledPostStatus, // by a constraint of the table
      reason: scheduled.reason as ScheduledPostBody['reason'], // the others are of messages
      containerId: scheduled.status === 'started' ? scheduled.containerPublicId : null,
      container: scheduled.input && { ...scheduled.input },
    };
  },
};
