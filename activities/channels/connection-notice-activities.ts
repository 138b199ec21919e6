import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { NoticeResult } from '../../contract/channels/connection-notice.ts';
import { senderUserAgent } from '../../contract/deliveries/user-agents.ts';
import { failureTypes } from '../../contract/failures.ts';
import { outcomeOfStatus } from '../../contract/deliveries/outcome-of-status.ts';
import { standardHeaders } from '../../contract/deliveries/signature.ts';
import { type DueNotice, findNotice, settleNotice } from '../../db/onboarding/connection-notices.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Egress } from '../../egress/client.ts';
import type { Log } from '../../process/log.ts';
import { hmacSha256, signingSecret } from '../signing/open-secret.ts';

export type ConnectionNoticeActivities = ReturnType<typeof createConnectionNoticeActivities>;

export interface ConnectionNoticeDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  readonly log: Log;
}

const MAX_WAIT_MS = 10_000;

export function createConnectionNoticeActivities({ db, secretBox, egress, log }: ConnectionNoticeDeps) {
  return {
    /** At least once: an attempt whose result was lost is repeated with the same id. */
    async sendConnectionNotice({ noticeId }: { noticeId: string }): Promise<NoticeResult | 'ended'> {
      const notice = await findNotice(db, noticeId);
      if (!notice) {
        throw ApplicationFailure.nonRetryable(`Notice ${noticeId} not found`, failureTypes.noticeNotFound);
      }
      if (notice.isEnded) return 'ended';
      const status = await send(noticeId, notice);
      const isAccepted = status !== null && outcomeOfStatus(status) === 'accepted';
      const result = await settleNotice(db, { ...notice, status, isAccepted });
      const { linkPublicId: linkId, channelPublicId: channelId, attemptCount } = notice;
      log.info('connectionNotice.attempted', { noticeId, linkId, channelId, number: attemptCount + 1, status, result });
      return result;
    },
  };

  /** Returns null without a response. A link without an address counts as one that does not answer. */
  async function send(noticeId: string, notice: DueNotice): Promise<number | null> {
    const { url, sealedSecret, linkPublicId } = notice;
    if (url === null || sealedSecret === null) return null;
    const text = secretBox.open(sealedSecret, sealedContexts.onboardingNotificationSecret(linkPublicId));
    const body = Buffer.from(JSON.stringify(bodyOf(noticeId, notice)));
    const signed = { id: noticeId, atMs: Date.now(), body, secrets: [signingSecret(text)] };
    const headers = {
      'content-type': 'application/json',
      'user-agent': senderUserAgent,
      ...standardHeaders(signed, hmacSha256),
    };
    const group = `notice:${linkPublicId}`;
    const workspaceId = notice.workspacePublicId;
    const result = await egress.send({
      method: 'POST',
      url,
      headers,
      body,
      group,
      workspaceId,
      maxWaitMs: MAX_WAIT_MS,
    });
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
