import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import { noopMetricMeter } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';

const info: Info = {
  taskToken: new Uint8Array(),
  base64TaskToken: '',
  activityId: '1',
  activityType: 'test',
  activityNamespace: 'default',
  attempt: 1,
  isLocal: false,
  scheduledTimestampMs: 0,
  scheduleToCloseTimeoutMs: 0,
  startToCloseTimeoutMs: 0,
  currentAttemptScheduledTimestampMs: 0,
  heartbeatDetails: undefined,
  taskQueue: 'test',
  namespace: 'default',
  inWorkflow: true,
};

export async function inActivity<Result>(
  act: () => Promise<Result>,
  { signal = new AbortController().signal, onHeartbeat = () => undefined, attempt = 1 }: InActivity = {},
): Promise<Result> {
  const never = new Promise<never>(() => undefined);
  const log = new DefaultLogger('ERROR', () => undefined);
  const context = new Context({ ...info, attempt }, never, signal, onHeartbeat, undefined, log, noopMetricMeter, {});
  return await asyncLocalStorage.run(context, act);
}

export interface InActivity {
  readonly signal?: AbortSignal;
  readonly onHeartbeat?: () => void;
  /** Optional. Default: 1. */
  readonly attempt?: number;
}
