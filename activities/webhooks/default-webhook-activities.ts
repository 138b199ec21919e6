import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { judgeEmptyPostAnswer, judgeTokenAnswer, probeUrl } from '../../contract/webhooks/probe.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import {
  commitDefaultWebhook as commit,
  failDefaultWebhook,
  findStagedDefault,
  recordDefaultProbe,
  type StagedDefault,
} from '../../db/webhooks/default-webhooks.ts';
import type { Egress } from '../../egress/client.ts';
import type { Log } from '../../process/log.ts';
import { judgeProbe, type ProbeRequest, type ProbeResult, sendProbe } from './probe-url.ts';
import type { ProbeVerdict } from './webhook-save-activities.ts';

export type DefaultWebhookActivities = ReturnType<typeof createDefaultWebhookActivities>;

export interface DefaultWebhookDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  readonly log: Log;
}

interface DefaultInput {
  readonly defaultWebhookId: number;
}

export function createDefaultWebhookActivities({ db, secretBox, egress, log }: DefaultWebhookDeps) {
  return {
    async probeDefaultToken({ defaultWebhookId }: DefaultInput): Promise<ProbeVerdict> {
      const staged = await load(defaultWebhookId);
      if (staged.status !== 'staged' || staged.verifyTokenEncrypted === null) return 'overtaken';
      const context = sealedContexts.defaultVerifyToken(staged.ownerPublicId);
      const token = secretBox.open(staged.verifyTokenEncrypted, context);
      const result = await send(staged, { method: 'GET', url: probeUrl(staged.url, token) });
      return await record(staged, {
        probe: 'GET',
        result,
        judge: (answer) => judgeTokenAnswer(answer, { verifyToken: token }),
      });
    },

    async probeDefaultPost({ defaultWebhookId }: DefaultInput): Promise<ProbeVerdict> {
      const staged = await load(defaultWebhookId);
      if (staged.status !== 'staged') return 'overtaken';
      const result = await send(staged, { method: 'POST', url: staged.url });
      return await record(staged, { probe: 'POST', result, judge: judgeEmptyPostAnswer });
    },

    async commitDefaultWebhook({ defaultWebhookId }: DefaultInput): Promise<'committed' | 'overtaken' | 'expired'> {
      const result = await commit(db, defaultWebhookId);
      log.info('defaultWebhook.saved', { defaultWebhookId, result });
      return result;
    },
  };

  async function load(id: number): Promise<StagedDefault> {
    const staged = await findStagedDefault(db, id);
    if (staged) return staged;
    throw ApplicationFailure.nonRetryable(`Default webhook ${id} not found`, failureTypes.defaultWebhookNotFound);
  }

  async function send(staged: StagedDefault, request: Pick<ProbeRequest, 'method' | 'url'>) {
    const { ownerPublicId: ownerId, workspacePublicId } = staged;
    return await sendProbe(egress, { ...request, ownerId, workspaceId: workspacePublicId ?? ownerId });
  }

  /** Stores the response in the row. The workflow's history receives only the verdict. */
  async function record({ id, ownerPublicId: ownerId }: StagedDefault, answered: ProbeResult): Promise<ProbeVerdict> {
    const { probe } = answered;
    const judged = judgeProbe(answered);
    const { verdict } = judged;
    if (verdict !== 'blocked') await recordDefaultProbe(db, { id, probe, record: judged.record });
    if (verdict !== 'passed') await failDefaultWebhook(db, { id, status: verdict, failure: judged.failure });
    log.info('defaultWebhook.probed', { defaultWebhookId: id, ownerId, probe, verdict });
    return verdict;
  }
}
