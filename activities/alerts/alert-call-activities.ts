import type { Knex } from 'knex';
import { type AlertCallResult, MAX_CALLED_ALERTS } from '../../contract/alerts/alert-call.ts';
import { presentAlert } from '../../contract/alerts/present-alert.ts';
import { outcomeOfStatus } from '../../contract/deliveries/outcome-of-status.ts';
import {
  type AlertCall,
  findAlertCall,
  readCalledAlerts,
  settleAlertCall,
  skipAlertCall,
} from '../../db/alerts/alert-calls.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { Egress, EgressResult } from '../../egress/client.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { requesterOwner } from '../deliveries/receiver-slots.ts';
import { sendSigned } from '../deliveries/send-signed.ts';
import { sampleAlert } from './sample-alert.ts';

export type AlertCallActivities = ReturnType<typeof createAlertCallActivities>;

export interface AlertCallDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Pick<Egress, 'send'>;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly log: Log;
}

export function createAlertCallActivities(deps: AlertCallDeps) {
  const { db, secretBox, egress, receiverShares, log } = deps;
  return {
    /** At least once: an attempt whose result was lost is repeated with the same id. */
    async sendAlertCall({ callId }: { readonly callId: string }): Promise<AlertCallResult> {
      const call = await findAlertCall(db, callId);
      if (!call || call.isEnded) return 'ended'; // the webhook was deleted, or another run was faster
      // A test runs in another queue, because a person waits.
      if (call.type === 'alert.test') return await attempt(call);
      const giveBack = receiverShares.tryTake(requesterOwner('alerts', call));
      if (!giveBack) return 'unsent';
      try {
        return await attempt(call);
      } finally {
        giveBack();
      }
    },
  };

  async function attempt(call: AlertCall): Promise<AlertCallResult> {
    const body = await bodyOf(call);
    if (body === undefined) {
      await skipAlertCall(db, call.id);
      return 'skipped';
    }
    const sent = await send(call, body);
    const result = await settle(call, sent);
    const { publicId: callId, organizationPublicId: organizationId, type, attemptCount } = call;
    const answer = { status: statusOf(sent), error: errorOf(sent) };
    log.info('alertCall.attempted', { callId, organizationId, type, number: attemptCount + 1, ...answer, result });
    return result;
  }

  /** Returns undefined if there is nothing to send any longer. */
  async function bodyOf(call: AlertCall): Promise<object | undefined> {
    const { publicId: id, type, digestId, isEnabled, organizationPublicId: organizationId } = call;
    const head = { id, type, createdAt: call.createdAt.toISOString(), organizationId };
    if (digestId === null) return { ...head, count: 1, alerts: [sampleAlert(organizationId, call.createdAt)] };
    if (!isEnabled) return undefined;
    const alerts = await readCalledAlerts(db, { call: { ...call, digestId }, limit: MAX_CALLED_ALERTS });
    const count = alerts[0]?.count;
    return count === undefined ? undefined : { ...head, count, alerts: alerts.map(presentAlert) };
  }

  async function send(call: AlertCall, body: object): Promise<EgressResult> {
    const { publicId: id, url, organizationPublicId, sealedSecrets } = call;
    const context = sealedContexts.alertWebhookSecret(organizationPublicId);
    return await sendSigned(egress, {
      ...{ id, url, body: JSON.stringify(body), group: `alerts:${organizationPublicId}` },
      secrets: sealedSecrets.map((sealed) => secretBox.open(sealed, context)),
      workspaceId: organizationPublicId,
    });
  }

  /** A call that this worker could not send stays claimed, and another worker sends it. A test tells its caller. */
  async function settle(call: AlertCall, sent: EgressResult): Promise<AlertCallResult> {
    if (sent.outcome === 'not_sent' && call.type !== 'alert.test') return 'unsent';
    const status = statusOf(sent);
    const isAccepted = status !== null && outcomeOfStatus(status) === 'accepted';
    return await settleAlertCall(db, { ...call, status, error: errorOf(sent), isAccepted });
  }
}

function statusOf(sent: EgressResult): number | null {
  return sent.outcome === 'answered' ? sent.status : null;
}

function errorOf(sent: EgressResult): string | null {
  if (sent.outcome === 'answered') return null;
  return sent.outcome === 'not_sent' ? 'not_sent' : sent.error;
}
