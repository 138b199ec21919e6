import { z } from 'zod';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { instantField, namedObject } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals } from '../definitions/route-definition.ts';
import { staffReadQuery } from './schema.ts';

const seconds = z.number();
const waitingStatus = z.enum(['pending', 'retrying']);

const workerStatusSchema = namedObject('WorkerStatus', {
  holder: z.string().describe('The process, as in its log and in the Temporal UI.'),
  roles: z.array(z.enum(['pump', 'main'])),
  isLive: z.boolean().describe('Whether it has renewed its leases in time. Others take the shards of one that is not.'),
  seenSeconds: seconds.describe('Time since it last renewed its leases, usually about a second.'),
  shardCount: z.int().describe('Shards that it serves.'),
});

const taskQueueSchema = namedObject('TaskQueueStatus', {
  queue: z.string(),
  kind: z.enum(['workflow', 'activity']),
  waitingCount: z.int().describe('Tasks that no worker has taken, approximately.'),
  oldestSeconds: seconds.describe('Age of the oldest of them, approximately.'),
  pollerCount: z.int().describe('Workers that ask for tasks.'),
  polledSeconds: seconds.nullable().describe('Time since one of them last asked. Null without one.'),
});

const installationStatusSchema = namedObject('InstallationStatus', {
  readAt: instantField,
  workers: z.array(workerStatusSchema),
  shards: z.strictObject({
    unservedCount: z.int().describe('Shards that no worker serves. Their deliveries wait.'),
    unservedSeconds: seconds.describe('Longest time without a worker. 0 if all shards are served.'),
  }),
  backlog: z.strictObject({
    waiting: z
      .array(z.strictObject({ status: waitingStatus, count: z.int() }))
      .describe('Waiting deliveries. 100,000 means that many or more.'),
    oldest: z
      .array(z.strictObject({ status: waitingStatus, circuit: z.enum(['closed', 'open']), seconds }))
      .describe('Ages of the oldest ones. `open`: the destination is paused, paced or failing.'),
    overdueSeconds: seconds.describe('How long the most overdue retry with a closed circuit has been due.'),
    circuits: z
      .array(z.strictObject({ reason: z.enum(circuitReasons), count: z.int() }))
      .describe('Destinations with an open circuit.'),
    notSettlingCount: z.int().describe('Destinations whose attempts the database refuses to record.'),
    horizonSeconds: seconds.describe('Age of the oldest writing transaction, which streams and listeners wait for.'),
  }),
  database: z.strictObject({
    seesOthers: z
      .boolean()
      .describe('False if the role of the API may see only its own sessions and no replicas: grant it `pg_monitor`.'),
    connectionCount: z.int(),
    connectionLimit: z.int(),
    lockWaitCount: z.int().describe('Sessions that wait for a lock.'),
    oldestLockWaitSeconds: seconds,
    oldestTransactionSeconds: seconds,
    replicaLagSeconds: seconds
      .nullable()
      .describe('Of the slowest replica. Null without one, or if `seesOthers` is false.'),
    slotRetainedBytes: z
      .number()
      .nullable()
      .describe('Write-ahead log kept for the replication slot that is furthest behind. Null without slots.'),
    inactiveSlotCount: z.int().describe('Replication slots that nothing reads.'),
    databaseBytes: z.number(),
  }),
  temporal: z.strictObject({
    state: z.enum(['ok', 'unreachable', 'refused', 'namespace_missing', 'namespace_foreign']),
    taskQueues: z.array(taskQueueSchema).nullable().describe('Null while Temporal does not answer.'),
  }),
});
export const staffStatusRoutes = defineRoutes('Staff', {
  readStatus: {
    route: 'GET /staff/status',
    summary: 'Returns the state of the installation',
    description:
      'Shows the workers, their shards, the backlog, PostgreSQL and Temporal, with ages. It contains no data of organizations. The request is audited.',
    access: byPrincipals(['staff'], { within: 'installation' }),
    query: staffReadQuery,
    answer: installationStatusSchema,
  },
});
