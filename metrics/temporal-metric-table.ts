import type { MetricType } from './registry.ts';

/** A metric that Temporal's SDK exports. */
export interface TemporalMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** Labels that are kept. Namespace, service and activity types are not: they would multiply the series. */
  readonly labels: readonly string[];
}

const queue = ['task_queue'] as const;
const slots = ['task_queue', 'worker_type'] as const;

/** Operators' alerts and dashboards read these names, which the SDK may change: a test compares them with its output. */
export const temporalMetrics = [
  histogram('workflow_task_schedule_to_start_latency', 'Time that workflow tasks waited for a worker.', queue),
  histogram('workflow_task_execution_latency', 'Duration of workflow tasks.', queue),
  histogram('workflow_task_replay_latency', 'Duration of replays of histories.', []),
  counter('workflow_task_execution_failed', 'Workflow tasks that failed.', ['workflow_type', 'failure_reason']),
  counter('workflow_failed', 'Workflows that failed.', ['workflow_type']),
  histogram('activity_schedule_to_start_latency', 'Time that activity tasks waited for a worker.', queue),
  histogram('activity_execution_latency', 'Duration of activity attempts.', queue),
  counter('activity_execution_failed', 'Activity attempts that failed.', ['activity_type']),
  gauge('worker_task_slots_available', 'Free slots by kind of task.', slots),
  gauge('worker_task_slots_used', 'Used slots by kind of task.', slots),
  gauge('num_pollers', 'Calls that wait for a task.', ['task_queue', 'poller_type']),
  gauge('sticky_cache_size', 'Workflows in memory.', []),
  counter('sticky_cache_hit', 'Workflow tasks whose workflow was in memory.', []),
  counter('sticky_cache_miss', 'Workflow tasks that had to fetch the history.', []),
  counter('sticky_cache_total_forced_eviction', 'Workflows that left the memory for others.', []),
  counter('request', 'Calls to Temporal.', ['operation']),
  counter('request_failure', 'Calls to Temporal that failed.', ['operation', 'status_code']),
  histogram('request_latency', 'Duration of calls to Temporal.', []),
  counter('long_request', 'Long polls.', ['operation']),
  counter('long_request_failure', 'Long polls that failed.', ['operation', 'status_code']),
] as const satisfies readonly TemporalMetric[];

/** In seconds. The SDK's own end at a minute or begin at 50 ms, depending on the metric. */
const WAIT_BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];
const WORK_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** By the SDK's name, without prefix and unit. */
export const temporalBounds: Readonly<Record<string, number[]>> = {
  workflow_task_schedule_to_start_latency: WAIT_BOUNDS,
  workflow_task_execution_latency: WORK_BOUNDS,
  workflow_task_replay_latency: WORK_BOUNDS,
  activity_schedule_to_start_latency: WAIT_BOUNDS,
  activity_execution_latency: WORK_BOUNDS,
  request_latency: WORK_BOUNDS,
};

type Labels = readonly string[];

function histogram(name: string, help: string, labels: Labels): TemporalMetric {
  return { name: `temporal_${name}_seconds`, type: 'histogram', help, labels };
}

function counter(name: string, help: string, labels: Labels): TemporalMetric {
  return { name: `temporal_${name}_total`, type: 'counter', help, labels };
}

function gauge(name: string, help: string, labels: Labels): TemporalMetric {
  return { name: `temporal_${name}`, type: 'gauge', help, labels };
}
