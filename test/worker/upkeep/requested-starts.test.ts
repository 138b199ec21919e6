import test, { type ExecutionContext } from 'ava';
import { containerWorkflowId, scheduledWorkflowId } from '../../../contract/ids.ts';
import { searchAttributes } from '../../../contract/search-attributes.ts';
import { taskQueues } from '../../../contract/task-queues.ts';
import { requestStarts } from '../../../db/core/request-start.ts';
import { createAdoptRuns, createRequestedStarts } from '../../../worker/upkeep/requested-starts.ts';
import { createWorkerStarts } from '../../../workflow-starts/worker-starts.ts';
import { containerStage } from '../../harness/containers/container-stage.ts';
import { setContainer } from '../../harness/containers/containers.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';
import { aScheduledMessage, aScheduledPost } from '../../harness/scheduled/scheduled.ts';
import { aChannel } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

/** The adopted workflows stay queued, because no worker polls the product's queue here. */
async function adoptionStage(t: ExecutionContext) {
  const stage = await containerStage(t);
  const { client } = await temporalHarness(t, { unused: () => Promise.resolve(null) });
  const log = rememberingLog();
  const starts = createWorkerStarts({ client, retryScheduleMs: [], pollScheduleMs: [60_000], probeDelaysMs: [] });
  const deps = { db: stage.db, credentialRefreshMs: 0, log };
  const adoptRuns = createAdoptRuns({ ...deps, client });
  const { signal: stopping } = new AbortController();
  const startRequested = createRequestedStarts({ ...deps, starts, alertGatherMs: 1_000, stopping });
  const adoptOnce = async () => {
    await adoptRuns();
    await startRequested();
  };
  // A start has a deadline of five seconds, which a busy machine may miss.
  const adopt = () => eventually(() => adoptOnce().then(() => true, () => false)); // prettier-ignore
  const runOf = (containerId: string) => client.workflow.getHandle(containerWorkflowId(containerId));
  const inputOf = async (containerId: string): Promise<unknown> => {
    const { events } = await runOf(containerId).fetchHistory();
    const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    return JSON.parse(Buffer.from(payload?.data ?? []).toString('utf8'));
  };
  t.teardown(async () => {
    for (const id of new Set(adopted())) {
      const workflowId = id.startsWith('ctr_') ? containerWorkflowId(id) : scheduledWorkflowId(id);
      await client.workflow
        .getHandle(workflowId)
        .terminate()
        .catch(() => undefined);
    }
  });
  const adopted = () =>
    log.lines.filter(({ event }) => event === 'workflow.started').map((line) => String(line['subjectId']));
  return { ...stage, client, adopt, runOf, inputOf, adopted };
}

test('a container with an overdue check gets a run that resumes', async (t) => {
  const { db, image, adopt, runOf, inputOf, adopted, channel } = await adoptionStage(t);
  const { publicId } = await image();
  await setContainer(db, publicId, { status: 'in_progress', next_check_at: ago(90) });
  await adopt();
  t.deepEqual(adopted(), [publicId]);
  const { type, taskQueue, typedSearchAttributes } = await runOf(publicId).describe();
  t.deepEqual([type, taskQueue], ['carryContainer', taskQueues.main]);
  const attributes = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  t.is(attributes[searchAttributes.state], 'in_progress');
  t.is(attributes[searchAttributes.channel], channel.publicId);
  const input = await inputOf(publicId);
  t.like(input, { containerId: publicId, status: 'in_progress', resumed: true, pollScheduleMs: [60_000] });
});

test('a container with a running workflow is not adopted', async (t) => {
  const { db, image, adopt, runOf } = await adoptionStage(t);
  const { publicId } = await image();
  await setContainer(db, publicId, { status: 'in_progress', next_check_at: ago(90) });
  await adopt();
  const { runId } = await runOf(publicId).describe();
  await adopt();
  t.is((await runOf(publicId).describe()).runId, runId);
});

test('a container that is on time or has ended is not adopted', async (t) => {
  const { image, adopt, adopted, db } = await adoptionStage(t);
  await image();
  const ended = await image({ status: 'expired' });
  await setContainer(db, ended.publicId, { status: 'expired', next_check_at: ago(90) });
  await adopt();
  t.deepEqual(adopted(), []);
});

test('a container with a terminated workflow is adopted unless it ended', async (t) => {
  const { db, image, adopt, adopted, runOf, client } = await adoptionStage(t);
  const open = await image();
  const ended = await image();
  for (const { publicId } of [open, ended]) {
    await setContainer(db, publicId, { status: 'finished', next_check_at: ago(90) });
  }
  await adopt();
  for (const { publicId } of [open, ended]) {
    await setContainer(db, publicId, { status: 'finished', next_check_at: new Date(Date.now() + 3_600_000) });
    await runOf(publicId).terminate('by hand');
  }
  await setContainer(db, ended.publicId, { status: 'published' });
  const ids = [open, ended].map(({ publicId }) => `'${containerWorkflowId(publicId)}'`).join();
  const query = `ExecutionStatus = 'Terminated' and WorkflowId in (${ids})`;
  await eventually(async () => (await client.workflow.count(query)).count === 2);
  await adopt();
  t.deepEqual(adopted().slice(2), [open.publicId]);
  t.is((await runOf(open.publicId).describe()).status.name, 'RUNNING');
  t.is((await runOf(ended.publicId).describe()).status.name, 'TERMINATED');
  await adopt();
  t.is(adopted().length, 3, 'a closed run is reported once');
});

test('a terminated run of something scheduled is replaced before its time', async (t) => {
  const { db, channel, tenant, adopt, adopted, client } = await adoptionStage(t);
  const dueAt = new Date(Date.now() + 3_600_000);
  const place = { channel, workspace: tenant.workspace, dueAt };
  const ids = [(await aScheduledMessage(db, place)).publicId, (await aScheduledPost(db, place)).publicId].sort();
  const workflowIds = ids.map(scheduledWorkflowId);
  await adopt();
  t.deepEqual(adopted().sort(), ids);
  for (const workflowId of workflowIds) await client.workflow.getHandle(workflowId).terminate('by hand');
  const query = `ExecutionStatus = 'Terminated' and WorkflowId in (${workflowIds.map((id) => `'${id}'`).join()})`;
  await eventually(async () => (await client.workflow.count(query)).count === 2);
  await adopt();
  t.deepEqual(adopted().slice(2).sort(), ids);
  await adopt();
  t.is(adopted().length, 4, 'once for each run');
});

test('a requested workflow is started once and its request deleted', async (t) => {
  const { db, organization, workspace } = await tenantDatabase(t);
  const channel = await aChannel(db, workspace);
  const scheduled = await aScheduledMessage(db, { channel, workspace });
  const started: string[] = [];
  let isAway = true;
  const starts: Parameters<typeof createRequestedStarts>[0]['starts'] = {
    start: async (type, input) => {
      if (isAway) throw new Error('Temporal is away');
      await Promise.resolve();
      started.push(`${type} ${JSON.stringify(Object.values(input)[0])}`);
    },
    signalReplay: () => Promise.reject(new Error('unexpected call')),
    signalScheduled: async ({ scheduledId }) => {
      if (isAway) throw new Error('Temporal is away');
      await Promise.resolve();
      started.push(`carryScheduled ${JSON.stringify(scheduledId)}`);
    },
  };
  const deps = { db, starts, credentialRefreshMs: 86_400_000, alertGatherMs: 1_000, log: rememberingLog() };
  const start = createRequestedStarts({ ...deps, stopping: new AbortController().signal });
  const credential = await db('connection_credentials').where({ workspace_id: workspace.id }).first();
  await db('connection_credentials').update({ expires_at: new Date() });
  for (const [type, subjectId] of [
    ['alertDigest', organization.publicId],
    ['eraseData', 'ers_00000001'],
    ['refreshCredential', credential.public_id],
    ['rollOutWebhook', 'dwr_00000000'],
    ['sendNotification', 'ntc_00000001'],
  ] as const) {
    await requestStarts(db, { type, subjectIds: [subjectId] });
  }
  await t.throwsAsync(start(), { message: 'Temporal is away' });
  t.deepEqual(started, []);
  const kept = async () => (await db('workflow_starts').orderBy('subject_id')).map(({ type }) => String(type));
  t.is((await kept()).length, 5, 'a rollout that needs no workflow is not started');
  isAway = false;
  await db('workflow_starts').update({ due_at: new Date(0) });
  await start();
  t.deepEqual(started.toSorted(), [
    `alertDigest "${organization.publicId}"`,
    `carryScheduled "${scheduled.publicId}"`,
    'eraseData "ers_00000001"',
    `refreshCredential "${credential.public_id}"`,
    'sendNotification "ntc_00000001"',
  ]);
  t.deepEqual(await kept(), ['refreshCredential'], 'a credential that is still due is looked at again');
  await start();
  t.is(started.length, 5);
});
