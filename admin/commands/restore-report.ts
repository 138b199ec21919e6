import type { Knex } from 'knex';
import { isId, sequenceOf, type IdKey } from '../../contract/ids.ts';
import {
  findDeliveryStatuses,
  findNamedRows,
  type NamedRow,
  newestDelivery,
} from '../../db/upkeep/rows-after-restore.ts';
import type { RunAfterRestore } from '../../workflow-starts/runs-after-restore.ts';
import { retirementOf, type WorkflowType } from '../../workflows/workflow-types.ts';

/**
 * What Temporal knows of the time after the moment of a restore. Only deliveries that failed had workflows, so most lost
 * events and deliveries have left no trace there.
 */
export interface RestoreReport {
  /** Ids that have no row any more. */
  readonly lost: Readonly<Record<'deliveries' | NamedPlural, Named>>;
  /** Deliveries that got numbers after the moment, by the highest that Temporal knows. Null if it knows none. */
  readonly lostDeliveriesAbout: number | null;
  /** Deliveries that ended after the moment and are open again. Their receivers get them again, with the same ids. */
  readonly openAgain: Readonly<Record<string, Named>>;
  /** The platform is asked before such a container is published again. */
  readonly containersEndedSince: Named;
  /** The token from before the rotation is valid again, and the new one is unknown. */
  readonly channelsWithLostRotation: Named;
  /** Webhooks whose URL or secret was saved after the moment, or whose save was in progress. */
  readonly channelsWithLostWebhookSave: Named;
}

interface Named {
  readonly count: number;
  /** At most 1,000. */
  readonly ids: readonly string[];
}

type NamedPlural = keyof typeof plurals;

const plurals = {
  containers: 'container',
  replays: 'replay',
  rollouts: 'rollout',
  scheduledMessages: 'scheduledMessage',
  scheduledPosts: 'scheduledPost',
  channels: 'channel',
  workspaces: 'workspace',
  credentials: 'credential',
  registrations: 'registration',
  invitations: 'invitation',
} as const satisfies Readonly<Record<string, NamedRow>>;

/** The row whose id follows the first slash of the workflow's id. */
const subjects: Readonly<Partial<Record<WorkflowType, NamedRow>>> = {
  carryContainer: 'container',
  replayDeliveries: 'replay',
  rollOutWebhook: 'rollout',
  checkHealth: 'channel',
  rotateToken: 'channel',
  saveWebhook: 'channel',
  sendTestEvent: 'channel',
  refreshCredential: 'credential',
  emailCode: 'registration',
  sendInvitation: 'invitation',
};

const MAX_NAMED = 1_000;
const OPEN = ['pending', 'retrying'];

export interface Restored {
  readonly runs: readonly RunAfterRestore[];
  readonly moment: Date;
  readonly idKey: IdKey;
}

/** Also returns the runs that must end: those of lost rows, and those that adoption replaces. */
export async function reportAfterRestore(
  db: Knex,
  { runs, moment, idKey }: Restored,
): Promise<{ readonly report: RestoreReport; readonly toEnd: readonly RunAfterRestore[] }> {
  const deliveries = await deliveriesOf(db, { runs, idKey });
  const lostRows = await lostOf(db, runs);
  const since = (type: WorkflowType): RunAfterRestore[] =>
    runs.filter((run) => run.type === type && (run.startedAt >= moment || (type === 'saveWebhook' && run.isRunning)));
  const isKept = (id: string): boolean => !lostRows.channel.has(id);
  const report: RestoreReport = {
    lost: {
      deliveries: named(deliveries.lost.map(({ id }) => id)),
      ...(Object.fromEntries(
        Object.entries(plurals).map(([plural, kind]) => [plural, named([...lostRows[kind]])]),
      ) as Record<NamedPlural, Named>),
    },
    lostDeliveriesAbout: aboutLost(deliveries.lost, await newestDelivery(db)),
    openAgain: Object.fromEntries(
      [...Map.groupBy(deliveries.openAgain, ({ run }) => run.state ?? 'ended')].map(([state, some]) => [
        state,
        named(some.map(({ id }) => id)),
      ]),
    ),
    containersEndedSince: named(
      runs.filter((run) => isEnded(run, 'carryContainer') && !lostRows.container.has(subjectOf(run))).map(subjectOf),
    ),
    channelsWithLostRotation: named(since('rotateToken').map(subjectOf).filter(isKept)),
    channelsWithLostWebhookSave: named(since('saveWebhook').map(subjectOf).filter(isKept)),
  };
  const isLost = (run: RunAfterRestore): boolean => lostRows[kindOf(run) ?? 'channel'].has(subjectOf(run));
  return { report, toEnd: runs.filter((run) => run.isRunning && (isAdopted(run) || isLost(run))) };
}

function named(ids: readonly string[]): Named {
  const unique = [...new Set(ids)].sort();
  return { count: unique.length, ids: unique.slice(0, MAX_NAMED) };
}

function isEnded({ type, isRunning }: RunAfterRestore, wanted: WorkflowType): boolean {
  return type === wanted && !isRunning;
}

/** Its row starts it again. The present run may be ahead of the row. */
function isAdopted({ type }: RunAfterRestore): boolean {
  const retirement = retirementOf(type);
  return retirement !== undefined && 'restart' in retirement && retirement.restart === 'adoption';
}

function subjectOf({ workflowId }: RunAfterRestore): string {
  return workflowId.split('/')[1] ?? '';
}

function kindOf(run: RunAfterRestore): NamedRow | undefined {
  if (run.type !== 'carryScheduled') return subjects[run.type];
  return isId('scheduledMessage', subjectOf(run)) ? 'scheduledMessage' : 'scheduledPost';
}

interface DeliveryRun {
  readonly run: RunAfterRestore;
  readonly id: string;
  readonly number: number;
}

async function deliveriesOf(db: Knex, { runs, idKey }: Pick<Restored, 'runs' | 'idKey'>) {
  const all = runs.flatMap((run): DeliveryRun[] => {
    const id = subjectOf(run);
    const number = run.type === 'deliverWebhook' ? sequenceOf(idKey, 'delivery', id) : undefined;
    return number === undefined ? [] : [{ run, id, number }];
  });
  const statuses = await findDeliveryStatuses(db, [...new Set(all.map(({ number }) => number))]);
  const running = new Set(all.filter(({ run }) => run.isRunning).map(({ id }) => id));
  return {
    lost: all.filter(({ number }) => !statuses.has(number)),
    openAgain: all.filter(
      ({ run, id, number }) => !run.isRunning && !running.has(id) && OPEN.includes(statuses.get(number) ?? ''),
    ),
  };
}

/** A higher number may also begin the next period of the ledger. */
function aboutLost(lost: readonly DeliveryRun[], newest: number | null): number | null {
  const highest = Math.max(...lost.map(({ number }) => number));
  return lost.length === 0 ? null : highest - (newest ?? 0);
}

async function lostOf(db: Knex, runs: readonly RunAfterRestore[]): Promise<Record<NamedRow, Set<string>>> {
  const lost = {} as Record<NamedRow, Set<string>>;
  for (const kind of Object.values(plurals)) {
    const ids = new Set(runs.filter((run) => kindOf(run) === kind).map(subjectOf));
    if (kind === 'channel') addAll(ids, runs, 'channelId');
    if (kind === 'workspace') addAll(ids, runs, 'workspaceId');
    const found = await findNamedRows(db, { kind, ids: [...ids] });
    lost[kind] = new Set([...ids].filter((id) => !found.has(id)));
  }
  return lost;
}

function addAll(ids: Set<string>, runs: readonly RunAfterRestore[], key: 'channelId' | 'workspaceId'): void {
  for (const { [key]: id } of runs) if (id !== null) ids.add(id);
}
