import type { Knex } from 'knex';
import type { IdKey } from '../contract/ids.ts';
import type { BodyBox } from '../db/core/body-box.ts';
import type { CauseLimits } from '../db/alerts/causes.ts';
import type { HotPool } from '../db/core/hot-pool.ts';
import { createOpenCredentials, createOpenSecret } from '../activities/signing/open-secret.ts';
import { createAlertActivities } from '../activities/alerts/alert-activities.ts';
import { createHealthActivities, type HealthSettings } from '../activities/channels/health-activities.ts';
import type { SecretBox } from '../db/core/secret-box.ts';
import type { SigningRing } from '../db/core/signing-keys.ts';
import type { DeliveryNotifications } from '../db/core/delivery-notifications.ts';
import type { Egress } from '../egress/client.ts';
import type { Log } from '../process/log.ts';
import type { Shares } from '../process/shares.ts';
import type { PlatformCredentials } from '../platform/oauth/credentials.ts';
import type { OutboundLog } from '../db/operations/outbound-calls.ts';
import type { PlatformHealth } from '../platform/health/health.ts';
import type { PlatformMedia } from '../platform/media/media.ts';
import type { PlatformOperations } from '../platform/operations/operations.ts';
import type { WorkerMeter } from '../metrics/worker-metrics.ts';
import { createSendDelivery } from '../activities/deliveries/send-delivery.ts';
import { createChannelTokenActivities } from '../activities/channels/channel-token-activities.ts';
import { createContainerPublishActivities } from '../activities/containers/container-publish-activities.ts';
import type { RetentionSettings } from '../db/upkeep/expiries.ts';
import { createContainerActivities } from '../activities/containers/container-activities.ts';
import { createCredentialActivities } from '../activities/channels/credential-activities.ts';
import { createDeliveryActivities } from '../activities/deliveries/delivery-activities.ts';
import { createCircuitActivities } from '../activities/destinations/circuit-activities.ts';
import type { WakeDelivery } from '../activities/destinations/wake-deliveries.ts';
import { createDestinationActivities } from '../activities/destinations/destination-activities.ts';
import { createEmailCodeActivities } from '../activities/people/email-code-activities.ts';
import { createErasureActivities } from '../activities/erasures/erasure-activities.ts';
import { createInvariantActivities } from '../activities/upkeep/invariant-activities.ts';
import type { Mailer } from '../activities/mails/mailer.ts';
import { createInvitationActivities } from '../activities/people/invitation-activities.ts';
import { noTraces, type Traces } from '../process/traces/traces.ts';
import { countAttempts, logTracedAttempts } from '../activities/deliveries/observe-attempts.ts';
import { createAdoption, type AdoptionDeps } from '../activities/pump/adoption.ts';
import {
  type CircuitSignalsDeps,
  createCircuitSignals,
  createPromotion,
  type PromotionDeps,
} from '../activities/pump/start-missing.ts';
import type { Lease } from '../activities/pump/lease.ts';
import { createPumpLedger } from '../activities/pump/ledger/pump-ledger.ts';
import { type PumpSettings, startWorkerPump } from '../activities/pump/worker-pump.ts';
import { createTraceClaims } from '../activities/pump/trace-claims.ts';
import { createWorkspaceSlots } from '../activities/pump/limits/workspace-slots.ts';
import { createNotificationActivities } from '../activities/notifications/notification-activities.ts';
import { createReplayActivities } from '../activities/replays/replay-activities.ts';
import { createScheduledActivities, type ScheduledActivityDeps } from '../activities/scheduled/scheduled-activities.ts';
import { createRetentionActivities } from '../activities/upkeep/retention-activities.ts';
import { createTestEventActivities } from '../activities/destinations/test-event-activities.ts';
import { createDefaultWebhookActivities } from '../activities/webhooks/default-webhook-activities.ts';
import { createRolloutActivities } from '../activities/webhooks/rollout-activities.ts';
import { createWebhookSaveActivities } from '../activities/webhooks/webhook-save-activities.ts';

export interface ActivityParts {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly claimPool: HotPool;
  readonly wake: DeliveryNotifications;
  readonly secretBox: SecretBox;
  readonly bodyBox: BodyBox;
  readonly egress: Egress;
  readonly idKey: IdKey;
  readonly tokenSalt: Uint8Array;
  readonly signingRing: SigningRing;
  readonly mailer: Mailer | null;
  readonly platformMedia: PlatformMedia;
  readonly platformOperations: PlatformOperations;
  readonly outbound?: OutboundLog;
  readonly platformCredentials: PlatformCredentials;
  readonly platformHealth: PlatformHealth;
  readonly health: HealthSettings;
  readonly credentialRefreshMs: number;
  readonly alertLimits: CauseLimits;
  /** How long alerts are gathered before an email. */
  readonly alertGatherMs: number;
  readonly baseUrl: string;
  readonly settings: PumpSettings;
  readonly retention: RetentionSettings;
  readonly holder: string;
  readonly startDelivery: PromotionDeps['startDelivery'];
  readonly startCircuit: CircuitSignalsDeps['startCircuit'];
  readonly wakeDelivery: WakeDelivery;
  readonly resumeContainer: ScheduledActivityDeps['resumeContainer'];
  readonly listAbandoned: AdoptionDeps['listAbandoned'];
  readonly listAbandonedCircuits: AdoptionDeps['listAbandonedCircuits'];
  readonly stopping: AbortSignal;
  /** Of the slots of the upkeep queue. */
  readonly upkeepShares: Shares;
  /** Of the slots of the media queue. */
  readonly mediaShares: Shares;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly meter?: WorkerMeter;
  /** Optional. Default: no traces. */
  readonly traces?: Traces;
  readonly log: Log;
}

export function createActivities(parts: ActivityParts) {
  const { traces = noTraces, idKey, log } = parts;
  const opened = {
    openSecret: createOpenSecret(parts.secretBox),
    openCredentials: createOpenCredentials(parts.secretBox),
  };
  const signedSend = createSendDelivery({ ...parts, ...opened });
  const sendDelivery = countAttempts(signedSend, parts.meter);
  const promotion = createPromotion(parts);
  const circuits = createCircuitSignals(parts);
  const { request: signalCircuits } = circuits;
  const adoption = createAdoption({ ...parts, promotion, circuits });
  let workerCount = 1;
  const perInstallation = parts.settings.workspaceInFlight;
  const workspaceSlots = createWorkspaceSlots({ perInstallation, workerCount: () => workerCount });
  const traceClaims = createTraceClaims({ traces, idKey });
  const pumpSend = logTracedAttempts(sendDelivery, { idKey, log });
  const calls = { promote: promotion.request, signalCircuits, onChanged: adoption.endVoidSoon };
  const ledger = createPumpLedger(parts);
  const pumpDeps = { ...parts, ledger, sendDelivery: pumpSend, ...calls, workspaceSlots, traceClaims };
  return {
    adoption,
    /** Divides the limits per workspace among the live workers. */
    setWorkerCount: (count: number) => void (workerCount = count),
    startPump(lease: Lease) {
      const pump = startWorkerPump({ ...pumpDeps, lease });
      void pump.stopped.finally(adoption.watch(pump.shards));
      return pump;
    },
    main: mainActivities(parts, { sendDelivery, signalCircuits }),
  };
}

type Shared = Pick<Parameters<typeof createDeliveryActivities>[0], 'sendDelivery' | 'signalCircuits'>;

function mainActivities(parts: ActivityParts, { sendDelivery, signalCircuits }: Shared) {
  return {
    ...createDeliveryActivities({ ...parts, sendDelivery, signalCircuits }),
    ...createContainerActivities(parts),
    ...createContainerPublishActivities(parts),
    ...createChannelTokenActivities(parts),
    ...createCredentialActivities(parts),
    ...createHealthActivities(parts),
    ...createCircuitActivities({ ...parts, sendDelivery }),
    ...createDestinationActivities(parts),
    ...createWebhookSaveActivities({ ...parts, signalCircuits }),
    ...createDefaultWebhookActivities(parts),
    ...createRolloutActivities(parts),
    ...createEmailCodeActivities(parts),
    ...createInvitationActivities(parts),
    ...createAlertActivities(parts),
    ...createNotificationActivities(parts),
    ...createReplayActivities(parts),
    ...createScheduledActivities(parts),
    ...createRetentionActivities(parts),
    ...createErasureActivities(parts),
    ...createInvariantActivities(parts),
    ...createTestEventActivities({ ...parts, sendDelivery }),
  };
}
