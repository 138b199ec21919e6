import test from 'ava';
import { addTemporalMetrics, type BlockedBy } from '../../metrics/temporal-metrics.ts';
import { createWorkerMeter } from '../../metrics/worker-metrics.ts';

const text = `# HELP temporal_num_pollers Pollers
# TYPE temporal_num_pollers gauge
temporal_num_pollers{namespace="default",poller_type="activity_task",task_queue="delivery-pump/host/1/abc"} 1
temporal_num_pollers{namespace="default",poller_type="activity_task",task_queue="service"} 4
temporal_activity_execution_latency_seconds_bucket{activity_type="a",namespace="default",task_queue="service",le="0.1"} 2
temporal_activity_execution_latency_seconds_bucket{activity_type="b",namespace="default",task_queue="service",le="0.1"} 3
temporal_activity_execution_latency_seconds_sum{activity_type="a",namespace="default",task_queue="service"} 0.5
temporal_activity_execution_latency_seconds_count{activity_type="a",namespace="default",task_queue="service"} 2
temporal_workflow_task_execution_failed_total{failure_reason="WorkflowError",namespace="default",task_queue="service",workflow_type="a"} 2
temporal_workflow_task_execution_failed_total{failure_reason="NonDeterminismError",namespace="default",task_queue="service",workflow_type="b"} 1
temporal_request_failure_total{operation="StartWorkflowExecution",status_code="a \\"quoted\\" {code}, \\\\"} 7
temporal_unknown_total{task_queue="service"} 1
`;

function stage() {
  const meter = createWorkerMeter();
  const source: {
    text: string | undefined | Error;
    unreachableMs: number;
    blocked: Record<BlockedBy, number> | undefined;
  } = {
    text,
    unreachableMs: 0,
    blocked: { activity: 2, workflow_task: 0 },
  };
  addTemporalMetrics(meter.register, {
    read: () => (source.text instanceof Error ? Promise.reject(source.text) : Promise.resolve(source.text)),
    unreachableMs: () => Promise.resolve(source.unreachableMs),
    blockedCounts: () => Promise.resolve(source.blocked),
  });
  return { source, lines: async () => (await meter.register.expose()).split('\n') };
}

test("the SDK's series keep few labels and add up", async (t) => {
  const { lines } = stage();
  const shown = await lines();
  for (const line of [
    'temporal_num_pollers{poller_type="activity_task",task_queue="delivery-pump/own"} 1',
    'temporal_num_pollers{poller_type="activity_task",task_queue="service"} 4',
    'temporal_activity_execution_latency_seconds_bucket{task_queue="service",le="0.1"} 5',
    'temporal_activity_execution_latency_seconds_count{task_queue="service"} 2',
    'temporal_workflow_task_execution_failed_total{failure_reason="WorkflowError",workflow_type="a"} 2',
    'temporal_request_failure_total{operation="StartWorkflowExecution",status_code="a \\"quoted\\" {code}, \\\\"} 7',
    'channels_workflow_task_failures_total 3',
    'channels_temporal_unreachable_seconds 0',
    '# TYPE temporal_activity_execution_latency_seconds histogram',
  ])
    t.true(shown.includes(line), line);
  t.false(shown.some((line) => line.startsWith('temporal_unknown_total')));
});

test('workflow task failures are 0 before the first one', async (t) => {
  const { source, lines } = stage();
  source.text = '';
  t.true((await lines()).includes('channels_workflow_task_failures_total 0'));
  source.text = undefined;
  t.true((await stage().lines()).length > 0);
});

test("the SDK's series disappear if they cannot be read", async (t) => {
  const { source, lines } = stage();
  await lines();
  source.text = new Error('away');
  source.unreachableMs = 12_000;
  const shown = await lines();
  t.false(
    shown.some((line) => /^temporal_\w+\{/.test(line) || line.startsWith('channels_workflow_task_failures_total ')),
  );
  t.true(shown.includes('channels_temporal_unreachable_seconds 12'));
});

test('blocked workflows are counted while Temporal answers', async (t) => {
  const { source, lines } = stage();
  const shown = await lines();
  t.true(shown.includes('channels_workflows_blocked{by="activity"} 2'));
  t.true(shown.includes('channels_workflows_blocked{by="workflow_task"} 0'));
  source.blocked = undefined;
  t.false((await lines()).some((line) => line.startsWith('channels_workflows_blocked{')));
});
