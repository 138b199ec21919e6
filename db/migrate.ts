import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { connectForMigrations, MIGRATION_APPLICATION } from './core/connect-database.ts';
import { type BlockedMigration, migratePatiently } from './core/patient-migration.ts';
import { initial } from './migrations/0001-initial.ts';
import { peopleAndOnboarding } from './migrations/0002-people-and-onboarding.ts';
import { invitationIds } from './migrations/0003-invitation-ids.ts';
import { mediaContainers } from './migrations/0004-media-containers.ts';
import { channelTokens } from './migrations/0005-channel-tokens.ts';
import { outboundCalls } from './migrations/0006-outbound-calls.ts';
import { circuits } from './migrations/0007-circuits.ts';
import { deliverySupport } from './migrations/0008-delivery-support.ts';
import { bulkReplays } from './migrations/0009-replays.ts';
import { staff } from './migrations/0010-staff.ts';
import { retention } from './migrations/0011-retention.ts';
import { deliveryStream } from './migrations/0012-delivery-stream.ts';
import { replayKeys } from './migrations/0013-replay-keys.ts';
import { listenersToRead } from './migrations/0014-listeners.ts';
import { listenerDeliveries } from './migrations/0015-listener-deliveries.ts';
import { knownBrowsers } from './migrations/0016-known-browsers.ts';
import { rareDeliveries } from './migrations/0017-rare-deliveries.ts';
import { webhookProbes } from './migrations/0018-webhook-probes.ts';
import { listenerWorkspaces } from './migrations/0019-listener-workspaces.ts';
import { linkedAccounts } from './migrations/0020-linked-accounts.ts';
import { callsOfNoChannel } from './migrations/0021-calls-of-no-channel.ts';
import { gatewayContainers } from './migrations/0022-gateway-containers.ts';
import { signingKeys } from './migrations/0023-signing-keys.ts';
import { sealedBodies } from './migrations/0024-sealed-bodies.ts';
import { secretReveals } from './migrations/0025-secret-reveals.ts';
import { limits } from './migrations/0026-limits.ts';
import { fleet } from './migrations/0027-fleet.ts';
import { shortRetries } from './migrations/0028-short-retries.ts';
import { ledgerBoundary } from './migrations/0031-ledger-boundary.ts';
import { partitionedLedger } from './migrations/0032-partitioned-ledger.ts';
import { conversationReleases } from './migrations/0033-conversation-releases.ts';
import { eventKeyGenerations } from './migrations/0034-event-key-generations.ts';
import { movingDestinations } from './migrations/0035-moving-destinations.ts';
import { restartedDeliveries } from './migrations/0036-restarted-deliveries.ts';
import { serverHistory } from './migrations/0037-server-history.ts';
import { workerCapabilities } from './migrations/0038-worker-capabilities.ts';
import { distributionKeys } from './migrations/0039-distribution-keys.ts';
import { traceParents } from './migrations/0040-trace-parents.ts';
import { workerBuilds } from './migrations/0041-worker-builds.ts';
import { alertTables } from './migrations/0042-alerts.ts';
import { defaultWebhooks } from './migrations/0043-default-webhooks.ts';
import { channelHealth } from './migrations/0044-channel-health.ts';
import { destinationOptions } from './migrations/0045-destination-options.ts';
import { sentRequests } from './migrations/0046-sent-requests.ts';
import { limitedKeys } from './migrations/0048-limited-keys.ts';
import { onboardingReturns } from './migrations/0049-onboarding-returns.ts';
import { usageDays } from './migrations/0050-usage-days.ts';
import { erasures } from './migrations/0051-erasures.ts';
import { testEventWorkspaces } from './migrations/0052-test-event-workspaces.ts';
import { sentUnroutedEvents } from './migrations/0053-sent-unrouted-events.ts';
import { scheduledMessages } from './migrations/0054-scheduled-messages.ts';
import { scheduledPosts } from './migrations/0055-scheduled-posts.ts';
import { portalLinks } from './migrations/0056-portal-links.ts';
import { alertWebhooks } from './migrations/0057-alert-webhooks.ts';
import { erasureOfContainers } from './migrations/0058-erasure-of-containers.ts';
import { attemptBatches } from './migrations/0059-attempt-batches.ts';
import { portalReplays } from './migrations/0060-portal-replays.ts';
import { rolloutRetries } from './migrations/0061-rollout-retries.ts';
import { scheduledMessageStatuses } from './migrations/0062-scheduled-message-statuses.ts';
import { testEventLookup } from './migrations/0063-test-event-lookup.ts';
import { alertMailRetries } from './migrations/0064-alert-mail-retries.ts';
import { sentUnroutedBodies } from './migrations/0065-sent-unrouted-bodies.ts';
import { usagePositions } from './migrations/0068-usage-positions.ts';
import { noticesExternalId } from './migrations/0069-notices-external-id.ts';
import { cancellations } from './migrations/0070-cancellations.ts';
import { settlementLimits } from './migrations/0071-settlement-limits.ts';
import { failedScheduledMessages } from './migrations/0072-failed-scheduled-messages.ts';
import { failedScheduledPosts } from './migrations/0073-failed-scheduled-posts.ts';
import { failedRollouts } from './migrations/0074-failed-rollouts.ts';
import { senderIndexes } from './migrations/0075-sender-indexes.ts';
import { businessAccountLookup } from './migrations/0076-business-account-lookup.ts';
import { eventPeople } from './migrations/0078-event-people.ts';
import { eventFlags } from './migrations/0079-event-flags.ts';
import { eventSubscriptions } from './migrations/0080-event-subscriptions.ts';
import { earlyContainers } from './migrations/0082-early-containers.ts';
import { refusedCredentials } from './migrations/0083-refused-credentials.ts';
import { refusalCodes } from './migrations/0084-refusal-codes.ts';
import { runningCalls } from './migrations/0085-running-calls.ts';
import { replayFilters } from './migrations/0086-replay-filters.ts';
import { replayCounts } from './migrations/0090-replay-counts.ts';
import { callerRequestIds } from './migrations/0093-caller-request-ids.ts';
import { outboundCallsByCaller } from './migrations/0094-outbound-calls-by-caller.ts';
import { refusedAddresses } from './migrations/0095-refused-addresses.ts';
import { openOnboardingAttempts } from './migrations/0097-open-onboarding-attempts.ts';
import { prepareRoles, type ProcessRoles } from './roles/process-roles.ts';
import { scheduledMessagesByCreator } from './migrations/0105-scheduled-messages-by-creator.ts';
import { scheduledPostsByCreator } from './migrations/0106-scheduled-posts-by-creator.ts';

/** Applied in this order and immutable. Stored names have no extension, so they do not depend on how the code runs. */
const migrations: Record<string, Knex.Migration> = {
  '0001-initial': initial,
  '0002-people-and-onboarding': peopleAndOnboarding,
  '0003-invitation-ids': invitationIds,
  '0004-media-containers': mediaContainers,
  '0005-channel-tokens': channelTokens,
  '0006-outbound-calls': outboundCalls,
  '0007-circuits': circuits,
  '0008-delivery-support': deliverySupport,
  '0009-replays': bulkReplays,
  '0010-staff': staff,
  '0011-retention': retention,
  '0012-delivery-stream': deliveryStream,
  '0013-replay-keys': replayKeys,
  '0014-listeners': listenersToRead,
  '0015-listener-deliveries': listenerDeliveries,
  '0016-known-browsers': knownBrowsers,
  '0017-rare-deliveries': rareDeliveries,
  '0018-webhook-probes': webhookProbes,
  '0019-listener-workspaces': listenerWorkspaces,
  '0020-linked-accounts': linkedAccounts,
  '0021-calls-of-no-channel': callsOfNoChannel,
  '0022-gateway-containers': gatewayContainers,
  '0023-signing-keys': signingKeys,
  '0024-sealed-bodies': sealedBodies,
  // Independent of 0025. The order of applied migrations does not change.
  '0026-limits': limits,
  '0025-secret-reveals': secretReveals,
  '0027-fleet': fleet,
  '0031-ledger-boundary': ledgerBoundary,
  '0032-partitioned-ledger': partitionedLedger,
  '0033-conversation-releases': conversationReleases,
  '0034-event-key-generations': eventKeyGenerations,
  '0037-server-history': serverHistory,
  // Needs the partitions of 0032.
  '0028-short-retries': shortRetries,
  // Independent of 0037.
  '0036-restarted-deliveries': restartedDeliveries,
  '0035-moving-destinations': movingDestinations,
  '0038-worker-capabilities': workerCapabilities,
  '0039-distribution-keys': distributionKeys,
  '0040-trace-parents': traceParents,
  '0041-worker-builds': workerBuilds,
  '0042-alerts': alertTables,
  '0043-default-webhooks': defaultWebhooks,
  '0044-channel-health': channelHealth,
  '0045-destination-options': destinationOptions,
  '0046-sent-requests': sentRequests,
  '0048-limited-keys': limitedKeys,
  '0049-onboarding-returns': onboardingReturns,
  '0050-usage-days': usageDays,
  '0051-erasures': erasures,
  '0052-test-event-workspaces': testEventWorkspaces,
  '0053-sent-unrouted-events': sentUnroutedEvents,
  '0054-scheduled-messages': scheduledMessages,
  '0055-scheduled-posts': scheduledPosts,
  '0056-portal-links': portalLinks,
  '0057-alert-webhooks': alertWebhooks,
  '0058-erasure-of-containers': erasureOfContainers,
  '0059-attempt-batches': attemptBatches,
  '0060-portal-replays': portalReplays,
  '0061-rollout-retries': rolloutRetries,
  '0062-scheduled-message-statuses': scheduledMessageStatuses,
  '0063-test-event-lookup': testEventLookup,
  '0064-alert-mail-retries': alertMailRetries,
  '0065-sent-unrouted-bodies': sentUnroutedBodies,
  '0068-usage-positions': usagePositions,
  '0069-notices-external-id': noticesExternalId,
  '0070-cancellations': cancellations,
  '0071-settlement-limits': settlementLimits,
  '0072-failed-scheduled-messages': failedScheduledMessages,
  '0073-failed-scheduled-posts': failedScheduledPosts,
  '0074-failed-rollouts': failedRollouts,
  '0075-sender-indexes': senderIndexes,
  '0076-business-account-lookup': businessAccountLookup,
  '0078-event-people': eventPeople,
  '0079-event-flags': eventFlags,
  '0080-event-subscriptions': eventSubscriptions,
  '0082-early-containers': earlyContainers,
  '0083-refused-credentials': refusedCredentials,
  '0084-refusal-codes': refusalCodes,
  '0085-running-calls': runningCalls,
  '0086-replay-filters': replayFilters,
  '0090-replay-counts': replayCounts,
  '0093-caller-request-ids': callerRequestIds,
  '0094-outbound-calls-by-caller': outboundCallsByCaller,
  '0095-refused-addresses': refusedAddresses,
  '0097-open-onboarding-attempts': openOnboardingAttempts,
  '0105-scheduled-messages-by-creator': scheduledMessagesByCreator,
  '0106-scheduled-posts-by-creator': scheduledPostsByCreator,
};

export const migrationNames: readonly string[] = Object.keys(migrations);

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(migrations)),
  getMigrationName: (name) => name,
  getMigration: (name) => Promise.resolve(migrations[name]!),
};

/** An arbitrary advisory lock key. */
const MIGRATION_LOCK = 7_261_903;

/**
 * Migrates the schema, and creates the installation's keys on the first run. Processes may call it concurrently. The
 * lock is polled: a session that waits in `pg_advisory_lock` holds a snapshot, for which `create index concurrently`
 * would wait forever.
 */
export async function migrate(db: Knex, { deliveryShards, roles, onBlocked }: MigrateOptions): Promise<string[]> {
  const knex = connectForMigrations(db);
  try {
    return await underLock(knex, async () => {
      const act = () => applyNext(knex);
      const applied = await applyAll(() =>
        migratePatiently({ db, applicationName: MIGRATION_APPLICATION, act, onBlocked }),
      );
      await knex.raw(
        'insert into installation (id_key, token_salt, delivery_shards) values (?, ?, ?) on conflict do nothing',
        [randomBytes(48), randomBytes(32), deliveryShards],
      );
      await prepareRoles(knex, roles);
      return applied;
    });
  } finally {
    await knex.destroy();
  }
}

export interface MigrateOptions {
  readonly deliveryShards: number;
  /** Optional. Without roles, all processes connect as the owner. */
  readonly roles?: ProcessRoles;
  /** Optional. Called before each retry of a migration that waits for another session's lock. */
  readonly onBlocked?: (blocked: BlockedMigration) => void;
}

async function underLock<Result>(knex: Knex, act: () => Promise<Result>): Promise<Result> {
  const connection: unknown = await knex.client.acquireConnection();
  try {
    while (!(await tryLock(knex, connection))) await sleep(50);
    try {
      return await act();
    } finally {
      await knex.raw('select pg_advisory_unlock(?)', [MIGRATION_LOCK]).connection(connection);
    }
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/**
 * Applies one migration per call, so that each has its own transaction. In a batch, one migration without a transaction
 * would disable transactions for all.
 */
async function applyAll(applyOne: () => Promise<AppliedBatch>): Promise<string[]> {
  const applied: string[] = [];
  for (;;) {
    const [, names] = await applyOne();
    if (names.length === 0) return applied;
    applied.push(...names);
  }
}

type AppliedBatch = readonly [number, readonly string[]];

async function applyNext(knex: Knex): Promise<AppliedBatch> {
  // A process killed during a migration without a transaction leaves Knex's lock behind. The advisory lock excludes
  // other processes.
  await knex.migrate.forceFreeMigrationsLock({ migrationSource });
  return (await knex.migrate.up({ migrationSource })) as AppliedBatch;
}

/** For tests of the migrations. */
export async function rollbackAll(knex: Knex): Promise<void> {
  await knex.migrate.rollback({ migrationSource }, true);
}

/** For tests of upgrades. Reverts every migration that is applied after this one. */
export async function rollbackAfter(knex: Knex, name: string): Promise<void> {
  for (const _ of migrationNames.slice(migrationNames.indexOf(name) + 1)) await knex.migrate.down({ migrationSource });
}

async function tryLock(knex: Knex, connection: unknown): Promise<boolean> {
  const { rows } = await knex.raw('select pg_try_advisory_lock(?) as locked', [MIGRATION_LOCK]).connection(connection);
  return rows[0].locked === true;
}
