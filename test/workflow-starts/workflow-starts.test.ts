import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { createApiMeter } from '../../metrics/api-metrics.ts';
import { createSchedules } from '../../workflow-starts/schedules.ts';
import { createWorkerStarts } from '../../workflow-starts/worker-starts.ts';
import { createWorkflowStarts } from '../../workflow-starts/workflow-starts.ts';
import type { ScheduledType } from '../../workflows/workflow-types.ts';
import { type RecordedRequest, recordingClient } from '../harness/temporal/recording-client.ts';
import {
  type Case,
  cases,
  container,
  containerInput,
  delivery,
  destination,
  ids,
  joinRunning,
  organizationOf,
  replay,
  schedules,
} from './start-cases.ts';

type Fields = Readonly<Record<string, any>>; // eslint-disable-line @typescript-eslint/no-explicit-any -- a request's shape is the server's

/** The part of a request that starts a workflow. */
function startIn({ request }: RecordedRequest): Fields {
  const { operations } = request as Fields;
  return operations ? operations[0].startWorkflow : request;
}

function stage() {
  const meter = createApiMeter();
  const { client, requests } = recordingClient();
  const counted = async () =>
    (await meter.register.expose()).split('\n').filter((line) => line.startsWith('channels_workflow_calls_total{'));
  return { ...createWorkflowStarts({ client, organizationOf, meter, ...schedules }), client, meter, requests, counted };
}

for (const [workflow, expected] of Object.entries<Case>(cases)) {
  test(`${workflow} is started with its stored names`, async (t) => {
    const { starts, requests } = stage();
    t.is((await expected.start(starts)).state, 'ended');
    const start = startIn(requests[0]!);
    t.is(start['workflowType'].name, workflow);
    t.regex(start['workflowId'], new RegExp(expected.workflowId));
    t.is(start['taskQueue'].name, 'service');
    t.deepEqual(start['input'].payloads, [expected.input]);
    t.deepEqual(
      [start['workflowIdReusePolicy'], start['workflowIdConflictPolicy']],
      [...(expected.policies ?? joinRunning)],
    );
    t.is(start['userMetadata'].summary, expected.summary);
    t.deepEqual(start['searchAttributes']?.indexedFields, expected.attributes);
    t.is(start['workflowExecutionTimeout']?.seconds.low, expected.timeoutSeconds);
  });

  test(`a start of ${workflow} is counted by its outcome`, async (t) => {
    const { starts, counted } = stage();
    await expected.start(starts);
    t.deepEqual(await counted(), [`channels_workflow_calls_total{workflow="${workflow}",state="ended"} 1`]);
  });

  test(`${workflow} is not started once the process stops`, async (t) => {
    const { starts, endWaits, requests } = stage();
    endWaits();
    const stopping = { state: 'not_started', cause: { message: 'The process is stopping' } };
    t.like(await expected.start(starts), stopping);
    t.deepEqual(requests, []);
  });
}

test('a publish is counted as a call of its container workflow', async (t) => {
  const { starts, requests, counted } = stage();
  t.is((await starts.publishContainer(container)).state, 'ended');
  t.like(startIn(requests[0]!), { input: { payloads: [{ ...containerInput, resumed: true }] } });
  t.deepEqual(await counted(), ['channels_workflow_calls_total{workflow="carryContainer",state="ended"} 1']);
});

test('a start that Temporal never accepts is counted as not started', async (t) => {
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  t.teardown(() => connection.close());
  const meter = createApiMeter();
  const { starts } = createWorkflowStarts({ client: new Client({ connection }), meter, ...schedules });
  t.is((await starts.rotateToken({ ...ids, rotationId: 5 })).state, 'not_started');
  const line = 'channels_workflow_calls_total{workflow="rotateToken",state="not_started"} 1';
  t.true((await meter.register.expose()).includes(`\n${line}\n`));
});

test('each webhook and each subscription has its own circuit workflow', async (t) => {
  const { starts, requests } = stage();
  await starts.signalCircuit({ destination: { ...destination, destination: 'sub_00000001' }, as: 'moved' });
  await starts.signalCircuit({ destination: { ...destination, isKept: true }, as: 'probe' });
  t.deepEqual(
    requests.map(({ request }) => [request['workflowId'], request['signalName']]),
    [
      ['destination/sub_00000001', 'circuitMoved'],
      ['destination/webhook-ch_00000001/kept-7', 'probeNow'],
    ],
  );
});

test('worker starts match those of the API and throw without Temporal', async (t) => {
  const { starts, client, requests } = stage();
  const worker = createWorkerStarts({ client, organizationOf, ...schedules });
  await worker.startDelivery(delivery);
  await starts.retryDelivery(delivery);
  await worker.signalCircuit(destination);
  await starts.signalCircuit({ destination, as: 'moved' });
  await worker.signalReplay(replay);
  await starts.signalReplay(replay);
  const [started, signalled, ...pairs] = requests.map(({ request }) => request);
  t.like(signalled, { ...started, signalName: 'retryNow' });
  t.deepEqual(pairs[0], pairs[1]);
  t.deepEqual(pairs[2], pairs[3]);

  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  t.teardown(() => connection.close());
  const away = createWorkerStarts({ client: new Client({ connection }), ...schedules });
  await t.throwsAsync(away.start('deliveryPump', { holder: 'a' }), { message: 'Failed to start Workflow' });
});

test('schedules start their workflows under the ids of the schedules', async (t) => {
  const { client, requests } = stage();
  await createSchedules(client);
  const started = requests.map(({ request }) => (request as Fields)['schedule'].action.startWorkflow);
  t.deepEqual(
    started.map(({ workflowId, workflowType, taskQueue }) => [workflowId, workflowType.name, taskQueue.name]),
    [
      ['retention', 'retention', 'service'],
      ['invariants', 'invariants', 'service'],
      ['channel-health', 'refreshHealth', 'service'],
    ] satisfies [string, ScheduledType, string][],
  );
});

test('a replay of an organization has its attribute', async (t) => {
  const { starts, requests } = stage();
  await starts.signalReplay({ ...replay, scope: 'organization:org_00000009', workspaceId: null, channelId: null });
  t.is(startIn(requests[0]!)['searchAttributes'].indexedFields['ServiceOrganizationId'], 'org_00000009');
});

test('a workflow starts while no organization can be looked up', async (t) => {
  const { client, requests } = recordingClient();
  const organizationOf = () => Promise.reject(new Error('away'));
  t.is((await createWorkflowStarts({ ...schedules, client, organizationOf }).starts.checkHealth(ids)).state, 'ended');
  t.deepEqual(Object.keys(startIn(requests[0]!)['searchAttributes'].indexedFields), [
    'ServiceWorkspaceId',
    'ServiceChannelId',
  ]);
});
