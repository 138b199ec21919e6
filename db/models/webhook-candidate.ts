import type { PendingChoice } from '../../contract/destinations/pending-deliveries.ts';
import type { AuditActorType } from '../../contract/identity/actor-types.ts';
import type { ProbeFinding, ProbeName } from '../../contract/webhooks/probe.ts';
import { belongsTo, Model } from '../core/model.ts';
import { ChannelModel } from './channel.ts';
import { WebhookConfigModel } from './webhook-config.ts';

/**
 * `staged` ends once: `committed` after both probes passed, `failed` or `blocked` by a probe, `overtaken` by a later
 * save or clear, `abandoned` after its deadline or without a workflow.
 */
export type CandidateStatus = 'staged' | 'committed' | 'failed' | 'blocked' | 'overtaken' | 'abandoned';

export interface ProbeRecord extends ProbeFinding {
  readonly durationMs: number;
}

export class WebhookCandidateModel extends Model {
  static override tableName = 'webhook_candidates';
  static override relationMappings = {
    channel: belongsTo(ChannelModel, 'webhook_candidates.channel_id', 'channels.id'),
    config: belongsTo(WebhookConfigModel, 'webhook_candidates.channel_id', 'webhook_configs.channel_id'),
  };
  declare id: number;
  declare channelId: number;
  declare url: string;
  /** Sealed in the context `verifyToken`. */
  declare verifyTokenEncrypted: string;
  declare keepsVerifyToken: boolean;
  declare revision: number;
  /** Null unless a rollout saves. */
  declare defaultWebhookId: number | null;
  declare pending: PendingChoice;
  declare status: CandidateStatus;
  declare failure: string | null;
  declare probes: Readonly<Partial<Record<ProbeName, ProbeRecord>>>;
  declare deadlineAt: Date;
  /** Null if the service itself saves. */
  declare requestedByType: AuditActorType | null;
  declare requestedBy: string | null;
  declare requestId: string | null;
  declare clientAddress: string | null;
  declare createdAt: Date;
}
