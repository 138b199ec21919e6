import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientOptions } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions, type InjectedSinks } from '@temporalio/worker';
import { createLease } from '../activities/pump/lease.ts';
import { type PumpFleet, startPumpFleet } from '../activities/pump/pump-fleet.ts';
import { createFleetLedger } from '../activities/pump/ledger/pump-ledger.ts';
import { activatesPatch, announcedPatches } from '../contract/announced-patches.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import { createOrganizationOf } from '../db/organizations/organization-of.ts';
import { type HotPool, localAddressOf } from '../db/core/hot-pool.ts';
import type { WorkerRole } from '../db/ledger/shards/fleet.ts';
import type { Log } from '../process/log.ts';
import type { Traces } from '../process/traces/traces.ts';
import type { WorkerPump } from '../activities/pump/worker-pump.ts';
import { createShardWakes } from '../db/core/shard-wakes.ts';
import { type OfferReceiver, receiveOffers } from './receive-offers.ts';
import { requireOwnNamespace } from '../workflow-starts/require-own-namespace.ts';
import type { NamespaceOwner } from '../workflows/workflow-types.ts';
import { createActivityWorkers } from './activity-workers.ts';
import { createActivities, type ActivityParts } from './create-activities.ts';
import { explainRefusal, checkTemporalVersion } from './explain-temporal.ts';
import { leadUpkeep, reasonOf } from './upkeep/lead-upkeep.ts';
import { promoteVersion } from './promote-version.ts';
import { createTemporalParts, type TemporalCalls } from './temporal-parts.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { showPump } from './show-pump.ts';
import { upkeepTasks } from './upkeep-tasks.ts';
import { chooseVersion, deploymentOptions, type Versioning } from './worker-version.ts';
import { workflowBundle } from './workflow-bundle.ts';
import { claimDeliveries } from '../db/ledger/claim.ts';
import type { TraceSinks } from '../workflows/traces/carry-trace.ts';

export interface RunWorker {
  readonly connectionOptions: Parameters<typeof NativeConnection.connect>[0];
  readonly namespace: string;
  readonly owner: NamespaceOwner;
  readonly roles: readonly WorkerRole[];
  readonly versioning: Versioning;
  readonly scheduleMs: readonly number[];
  readonly pollScheduleMs: readonly number[];
  readonly shutdownGraceMs: number;
  /** Where API processes find this worker. Without a host: the address of its connection to the database. */
  readonly offers: { readonly host: string | undefined; readonly port: number };
  /** For leases only: their renewal must not wait for a free connection of the pump. */
  readonly leasePool: HotPool;
  /** Excludes the parts that need Temporal. */
  readonly parts: Omit<ActivityParts, keyof TemporalCalls>;
  readonly onFleet: (fleet: PumpFleet) => void;
  readonly onConnected: (connection: NativeConnection) => void;
  readonly onStarted: () => void;
  /** Until then other workers keep the shards that they serve. */
  readonly isStarted: () => boolean;
  readonly stopping: AbortSignal;
  readonly traces: Traces;
  readonly log: Log;
}

const CONNECT_RETRY_MS = 1_000;
/** After this time another worker takes over the workflows of a lost one. */
const STICKY_TIMEOUT = '1s';
/** Activities that do not end in time are abandoned; their leases expire. */
const FORCE_AFTER_GRACE_MS = 5_000;

/**
 * Runs the roles of this process until `stopping` aborts. The pump starts before Temporal is connected: it needs only the
 * database, and must recover first after a crash.
 */
export async function runWorker(options: RunWorker): Promise<void> {
  const { scheduleMs: retryScheduleMs, pollScheduleMs, parts, roles, stopping } = options;
  const { probeDelaysMs } = parts.settings;
  const temporal = createTemporalParts({
    retryScheduleMs,
    pollScheduleMs,
    probeDelaysMs,
    organizationOf: createOrganizationOf(parts.db),
  });
  const activities = createActivities({ ...parts, ...temporal.calls });
  const fleet = roles.includes('pump') ? await startFleet(options, activities) : undefined;
  const stopFleet = once(() => fleet?.stop());
  stopping.addEventListener('abort', () => void stopFleet(), { once: true });
  try {
    const connection = await connectWithRetry(options);
    if (!connection) return;
    options.onConnected(connection);
    try {
      const client = new Client({ connection, namespace: options.namespace, ...tracedClient(options.traces) });
      await checkTemporalVersion(client.connection, options.log);
      await explainRefusal(options.namespace, async () => {
        await requireSearchAttributes(client);
        await requireOwnNamespace(client, options.owner);
      });
      const starts = temporal.connected(client);
      await runRoles(options, { connection, client, starts, fleet, activities });
    } finally {
      // Throws while a failed worker still uses the connection, and must not hide that worker's error.
      await connection
        .close()
        .catch((error: unknown) => options.log.warn('temporal.closeFailed', { reason: reasonOf(error) }));
    }
  } finally {
    await Promise.race([stopFleet(), sleep(options.shutdownGraceMs + FORCE_AFTER_GRACE_MS, undefined, { ref: false })]);
  }
}

interface Parts {
  readonly connection: NativeConnection;
  readonly client: Client;
  readonly starts: ReturnType<ReturnType<typeof createTemporalParts>['connected']>;
  readonly fleet: PumpFleet | undefined;
  readonly activities: ReturnType<typeof createActivities>;
}

async function startFleet(options: RunWorker, { startPump, setWorkerCount }: Parts['activities']): Promise<PumpFleet> {
  const { wake, holder, pool, claimPool, meter } = options.parts;
  const isStarted = joinWhenStarted({ ...options, pool, claimPool });
  const { leasesRenewed: onRound, clockCompared: onClock } = meter?.pump ?? {};
  const lease = createLease();
  const calls = { isStarted, onWorkerCount: setWorkerCount, onRound, onClock };
  const pump = startPump(lease);
  const receiver = await startReceiver(options, pump);
  const offersAddress = receiver?.address;
  const fleet = startPumpFleet({
    ...options,
    ...calls,
    wake,
    holder,
    ledger: createFleetLedger(options.leasePool),
    pump,
    lease,
    offersAddress,
  });
  void pump.stopped.then(() => receiver?.close());
  options.onFleet(fleet);
  return fleet;
}

/** Returns undefined if the worker cannot listen. The pump then claims all deliveries. */
async function startReceiver(options: RunWorker, pump: WorkerPump): Promise<OfferReceiver | undefined> {
  const { offers, leasePool, log } = options;
  const { pool, signingRing } = options.parts;
  const wakes = createShardWakes({ pool, log });
  try {
    const host = offers.host ?? (await localAddressOf(leasePool));
    return await receiveOffers({ ...offers, host, signingRing, pump, passOn: wakes.wake, log });
  } catch (error) {
    log.warn('offers.listenFailed', { error });
    return undefined;
  }
}

async function runRoles(options: RunWorker, { client, starts, fleet, ...parts }: Parts): Promise<void> {
  const { adoption } = parts.activities;
  const { holder, pool } = options.parts;
  const workerOptions = { ...shutdownTimes(options), connection: parts.connection, namespace: options.namespace };
  const roles: Promise<void>[] = [];
  if (fleet) roles.push(showPump({ ...options, pump: fleet.pump, pool, holder, starts, workerOptions }));
  if (options.roles.includes('main')) {
    const tasks = upkeepTasks({ client, starts, adoption, parts: options.parts });
    roles.push(runMain(options, { client, ...parts }), leadUpkeep({ ...options, pool, holder }, tasks));
  } else {
    started(options);
  }
  await Promise.all(roles);
}

async function runMain(
  options: RunWorker,
  { activities, connection, client }: Pick<Parts, 'activities' | 'connection' | 'client'>,
) {
  const { namespace, stopping, log } = options;
  const { pool, holder } = options.parts;
  const version = await chooseVersion(client, options.versioning, log);
  const times = { ...shutdownTimes(options), ...deploymentOptions(version) };
  const traced = tracedActivities(options.traces);
  const common = { connection, namespace, ...times, ...traced, activities: activities.main };
  const slow = await createActivityWorkers({ shared: common });
  const main = await Worker.create({
    ...common,
    taskQueue: taskQueues.main,
    workflowBundle: await workflowBundle({ isVersioned: version !== undefined }),
    patchActivationCallback: activatesPatch(announcedPatches),
    sinks: traceSinks(options.traces),
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
  });
  started(options);
  const runs = [main, ...slow].map((worker) => runUntilStopped(worker, stopping));
  if (version) runs.push(promoteVersion({ client, pool, holder, version, stopping, log }));
  await Promise.all(runs);
}

function started({ onStarted, log, namespace, roles }: RunWorker): void {
  onStarted();
  log.info('worker.started', { namespace, roles });
}

function shutdownTimes({ shutdownGraceMs }: RunWorker) {
  return { shutdownGraceTime: shutdownGraceMs, shutdownForceTime: shutdownGraceMs + FORCE_AFTER_GRACE_MS };
}

/** Workflows cannot start without their search attributes. */
async function requireSearchAttributes({ connection, options }: Client): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: options.namespace });
  const missing = Object.values(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new Error(`Temporal lacks the search attributes ${names}: run \`npm run admin -- register-search-attributes\``);
}

async function connectWithRetry({
  connectionOptions,
  stopping,
  log,
}: RunWorker): Promise<NativeConnection | undefined> {
  while (!stopping.aborted) {
    try {
      return await NativeConnection.connect(connectionOptions);
    } catch (error) {
      log.warn('temporal.connectFailed', { reason: reasonOf(error), address: connectionOptions?.address });
      await sleep(CONNECT_RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return undefined;
}

function once<Result>(act: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => (result ??= { value: act() }).value;
}

interface Start {
  readonly pool: HotPool;
  readonly claimPool: HotPool;
  readonly isStarted: () => boolean;
  readonly log: Log;
}

/** Longer than a start takes. A worker that cannot reach Temporal delivers all the same. */
const MAX_START_MS = 10_000;
/** Returns a function that says whether the worker may take shards from others without delaying their deliveries. */
function joinWhenStarted({ pool, claimPool, isStarted, log }: Start): () => boolean {
  const lateAtMs = performance.now() + MAX_START_MS;
  let isWarm = false;
  void warmUp(pool, claimPool)
    .catch((error: unknown) => log.warn('pump.warmUpFailed', { error }))
    .finally(() => (isWarm = true));
  return () => (isStarted() && isWarm) || performance.now() > lateAtMs;
}

/** Opens the connections and plans the claim, which would otherwise delay the first deliveries. */
async function warmUp(pool: HotPool, claimPool: HotPool): Promise<void> {
  const request = { shards: [], heldIds: [], room: new Map<number, number>(), defaultRoom: 1, maxRows: 1 };
  await Promise.all([
    ...Array.from({ length: claimPool.options.max }, () => claimDeliveries(claimPool, request)),
    ...Array.from({ length: pool.options.max }, () => pool.query('select')),
  ]);
}

function tracedClient({ temporal }: Traces): Pick<ClientOptions, 'interceptors'> {
  return temporal ? { interceptors: { workflow: [temporal.clientInterceptor] } } : {};
}

function tracedActivities({ temporal }: Traces): Pick<WorkerOptions, 'interceptors'> {
  return temporal ? { interceptors: { activity: [temporal.activityInterceptors] } } : {};
}

/** A workflow that another process traces may end on a worker without tracing. */
function traceSinks({ temporal }: Traces): InjectedSinks<TraceSinks> {
  return {
    traces: {
      workflowEnded: {
        fn: ({ workflowType, workflowId, runId, startTime }, ended) =>
          temporal?.workflowEnded({ workflowType, workflowId, runId, startedAtMs: startTime.getTime(), ...ended }),
        callDuringReplay: false,
      },
    },
  };
}
