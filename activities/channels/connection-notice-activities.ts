import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { NoticeResult } from '../../contract/channels/connection-notice.ts';
import { failureTypes } from '../../contract/failures.ts';
import { outcomeOfStatus } from '../../contract/deliveries/outcome-of-status.ts';
import { type DueNotice, findNotice, settleNotice } from '../../db/onboarding/connection-notices.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Egress } from '../../egress/client.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { requesterOwner } from '../deliveries/receiver-slots.ts';
import { sendSigned } from '../deliveries/send-signed.ts';

export type ConnectionNoticeActivities = ReturnType<typeof createConnectionNoticeActivities>;

export interface ConnectionNoticeDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly log: Log;
}

export function createConnectionNoticeActivities(deps: ConnectionNoticeDeps) {
  const { db, secretBox, egress, receiverShares, log } = deps;
  return {
    /** At least once: an attempt whose result was lost is repeated with the same id. */
    async sendConnectionNotice({ noticeId }: { noticeId: string }): Promise<NoticeResult | 'ended'> {
      const notice = await findNotice(db, noticeId);
      if (!notice) {
        throw ApplicationFailure.nonRetryable(`Notice ${noticeId} not found`, failureTypes.noticeNotFound);
      }
      if (notice.isEnded) return 'ended';
      const status = await sendInTurn(noticeId, notice);
      if (status === 'unsent') return 'unsent';
      const isAccepted = status !== null && outcomeOfStatus(status) === 'accepted';
      const result = await settleNotice(db, { ...notice, status, isAccepted });
      const { linkPublicId: linkId, channelPublicId: channelId, attemptCount } = notice;
      log.info('connectionNotice.attempted', { noticeId, linkId, channelId, number: attemptCount + 1, status, result });
      return result;
    },
  };

  /** A notice without a slot or a connection stays claimed, so that its wait holds no slot. It is due again soon. */
  async function sendInTurn(noticeId: string, notice: DueNotice): Promise<number | null | 'unsent'> {
    const giveBack = receiverShares.tryTake(requesterOwner('notices', notice));
    if (!giveBack) return 'unsent';
    try {
      return await send(noticeId, notice);
    } finally {
      giveBack();
    }
  }

  /** Returns null without a response. A link without an address counts as one that does not answer. */
  async function send(noticeId: string, notice: DueNotice): Promise<number | null | 'unsent'> {
    const { url, sealedSecret, linkPublicId } = notice;
    if (url === null || sealedSecret === null) return null;
    const text = secretBox.open(sealedSecret, sealedContexts.onboardingNotificationSecret(linkPublicId));
    const result = await sendSigned(egress, {
      ...{ id: noticeId, url, secrets: [text], body: JSON.stringify(bodyOf(noticeId, notice)) },
      ...{ group: `notice:${linkPublicId}`, workspaceId: notice.workspacePublicId },
    });
    if (result.outcome === 'not_sent') return 'unsent';
    return result.outcome === 'answered' ? result.status : null;
  }
}

function bodyOf(id: string, notice: DueNotice) {
  return {
    id,
    type: notice.isReconnected ? 'channel.reconnected' : 'channel.connected',
    occurredAt: notice.createdAt.toISOString(),
    channelId: notice.channelPublicId,
    channelType: notice.channelType,
    workspaceId: notice.workspacePublicId,
    onboardingLinkId: notice.linkPublicId,
    externalId: notice.externalId,
  };
}
