import type { Knex } from 'knex';
import type { IdKey } from '../contract/ids.ts';
import type { BodyBox } from '../db/body-box.ts';
import type { HotPool } from '../db/hot-pool.ts';
import { createOpenSecret } from '../db/open-secret.ts';
import type { SecretBox } from '../db/secrets.ts';
import type { SigningRing } from '../db/signing-keys.ts';
import type { WakeListener } from '../db/wake.ts';
import type { Egress } from '../egress/client.ts';
import type { Log } from '../log.ts';
import type { PlatformCredentials } from '../platform/credentials.ts';
import type { OutboundLog } from '../db/outbound-calls.ts';
import type { PlatformMedia } from '../platform/media.ts';
import type { WorkerMeter } from '../metrics/worker-metrics.ts';
import { createSendDelivery } from './attempt.ts';
import { createChannelTokenActivities } from './channel-tokens.ts';
import { createContainerPublishActivities } from './container-publish.ts';
import { createContainerActivities } from './containers.ts';
import { createCredentialActivities } from './credentials.ts';
import { createDeliveryActivities } from './deliveries.ts';
import { createCircuitActivities } from './circuits.ts';
import { createDestinationActivities } from './destinations.ts';
import { createEmailCodeActivities } from './email-code.ts';
import { createInvariantActivities } from './invariants.ts';
import type { Mailer } from './mail.ts';
import { createInvitationActivities } from './invitations.ts';
import { meteredSend } from './metered-send.ts';
import { createPumpActivities } from './pump.ts';
import { createAdoption, type AdoptionDeps } from './pump/adoption.ts';
import { createDestinationCare, type StartCircuit } from './pump/destination-care.ts';
import { createPromotion, type StartDelivery } from './pump/promotion.ts';
import type { PumpSettings } from './pump/shard-pump.ts';
import { createReplayActivities } from './replays.ts';
import { createRetentionActivities, type RetentionSettings } from './retention.ts';
import { createTestEventActivities } from './test-events.ts';
import { createWebhookSaveActivities } from './webhook-save.ts';

/** Everything that activities touch the world with. */
export interface ActivityParts {
  readonly db: Knex;
  readonly pool: HotPool;
  readonly wake: WakeListener;
  readonly secretBox: SecretBox;
  readonly bodyBox: BodyBox;
  readonly egress: Egress;
  readonly idKey: IdKey;
  readonly tokenSalt: Uint8Array;
  readonly signingRing: SigningRing;
  /** Null where no mail server is set. */
  readonly mailer: Mailer | null;
  readonly platformMedia: PlatformMedia;
  /** Where calls to the platform are written down; left out where nobody reads it. */
  readonly outbound?: OutboundLog;
  readonly platformCredentials: PlatformCredentials;
  /** How long before its end a credential is refreshed. */
  readonly credentialRefreshMs: number;
  /** Where clients reach the API, for mails. */
  readonly baseUrl: string;
  readonly settings: PumpSettings;
  readonly retention: RetentionSettings;
  /** Names this worker in leases. */
  readonly holder: string;
  readonly startDelivery: StartDelivery;
  readonly startCircuit: StartCircuit;
  readonly listAbandoned: AdoptionDeps['listAbandoned'];
  readonly listAbandonedCircuits: AdoptionDeps['listAbandonedCircuits'];
  readonly isTemporalReachable: () => Promise<boolean>;
  /** Aborts when this worker shuts down. */
  readonly stopping: AbortSignal;
  /** Left out where nobody counts. */
  readonly meter?: WorkerMeter;
  readonly log: Log;
}

/** The activities of both task queues. */
export function createActivities(parts: ActivityParts) {
  const signedSend = createSendDelivery({ ...parts, openSecret: createOpenSecret(parts.secretBox) });
  const sendDelivery = meteredSend(signedSend, parts.meter);
  const promotion = createPromotion(parts);
  const care = createDestinationCare(parts);
  const { lookAfter } = care;
  const adoption = createAdoption({ ...parts, promotion, care });
  return {
    pump: createPumpActivities({ ...parts, sendDelivery, promote: promotion.promote, lookAfter, adoption }),
    main: {
      ...createDeliveryActivities({ ...parts, sendDelivery, lookAfter }),
      ...createContainerActivities(parts),
      ...createContainerPublishActivities(parts),
      ...createChannelTokenActivities(parts),
      ...createCredentialActivities(parts),
      ...createCircuitActivities({ ...parts, sendDelivery }),
      ...createDestinationActivities(parts),
      ...createWebhookSaveActivities({ ...parts, lookAfter }),
      ...createEmailCodeActivities(parts),
      ...createInvitationActivities(parts),
      ...createReplayActivities(parts),
      ...createRetentionActivities(parts),
      ...createInvariantActivities(parts),
      ...createTestEventActivities({ ...parts, sendDelivery }),
    },
  };
}
