import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DeliveryActivities, DeliveryAnswer } from '../../activities/deliveries/delivery-activities.ts';
import type { DeliverWebhookInput, CircuitWait } from '../../contract/deliveries/workflow.ts';
import { retryDelayMs } from '../../contract/deliveries/retry-schedule.ts';
import { activityQueue, stateAttribute, isOwnCancellation } from '../runs/this-run.ts';
import { circuitClosed, deliveryProgress, retryNow } from '../messages/messages.ts';

const { attemptDelivery } = proxyActivities<DeliveryActivities>({
  taskQueue: activityQueue('receivers'),
  // An attempt takes at most 30 s. It does not wait for a connection.
  startToCloseTimeout: '60s',
  // Covers a lost worker or database. A failed attempt is a result.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { checkDelivery, endDelivery } = proxyActivities<DeliveryActivities>({
  // A few statements, retried until it commits, because nothing else would end the row.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface DeliverWebhookResult {
  readonly status: 'delivered' | 'exhausted' | 'ended' | 'cancelled';
  readonly attempts: number;
}

/**
 * Attempts a delivery on its retry schedule until the delivery ends. `retryNow` and `circuitClosed` start the next
 * attempt early. Cancelling the workflow cancels the delivery.
 */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult> {
  const { deliveryId, scheduleMs } = input;
  let { attemptsMade: attempts, failedInSchedule: failed, nextAttemptAtMs } = input;
  let { lastAnswer = null, circuitWait = null } = input;
  let { isRetryRequested: retryRequested = false, hasCircuitClosed: circuitHasClosed = false } = input;
  let isShownWaiting = circuitWait !== null;
  const retry = (): void => void (retryRequested = true);
  const circuitHasEnded = (): void => void (circuitHasClosed = true);
  const progress = () => ({ attemptsMade: attempts, lastAnswer, nextAttemptAt: timeText(nextAttemptAtMs) });
  setHandler(retryNow, retry, { description: 'For operators: attempts the delivery now.' });
  setHandler(circuitClosed, circuitHasEnded, { description: 'For the service: the destination accepts again.' });
  setHandler(deliveryProgress, progress, { description: 'The attempts made and the next one.' });

  try {
    for (;;) {
      const answer = await checkAndAttempt(await waitForAttempt());
      if (answer.status === 'ended') return end('ended');
      note(answer);
      if (answer.status !== 'waiting') failed++;
      if (answer.status !== 'waiting' && answer.status !== 'retrying') return end(answer.status);
      nextAttemptAtMs = answer.nextAttemptAtMs;
      // Requests to retry would otherwise grow the history without limit.
      if (workflowInfo().continueAsNewSuggested) await continueRun();
    }
  } catch (error) {
    if (!isOwnCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endDelivery({ deliveryId, status: 'cancelled' }));
    return end('cancelled');
  }

  function note(answer: Exclude<DeliveryAnswer, { readonly status: 'ended' }>): void {
    attempts = answer.attemptsMade ?? attempts + 1;
    circuitWait = (answer.status === 'waiting' && answer.circuit) || null;
    lastAnswer = answer.description ?? circuitWait?.lastAnswer ?? 'waiting for the circuit of its destination';
  }

  /** Without the check, an attempt that finds the circuit open or the delivery ended would send nothing. */
  async function checkAndAttempt(isRequested: boolean): Promise<DeliveryAnswer> {
    const summary = describeCheck({ attempts, circuitWait });
    const attempt = { deliveryId, attempt: attempts + 1, failedInSchedule: failed, isRequested };
    const checked = await checkDelivery.executeWithOptions({ summary }, [attempt]);
    return checked.status === 'due' ? await makeAttempt(isRequested) : checked;
  }

  async function makeAttempt(isRequested: boolean): Promise<DeliveryAnswer> {
    // Drawn here, so that a repeated activity uses the same jitter.
    const delayMs = retryDelayMs(scheduleMs, failed + 1, Math.random());
    const attempt = { deliveryId, attempt: attempts + 1, failedInSchedule: failed, isRequested };
    return await attemptDelivery.executeWithOptions({ summary: `attempt ${attempts + 1}` }, [
      { ...attempt, retryDelayMs: delayMs ?? null },
    ]);
  }

  async function continueRun(): Promise<never> {
    await condition(allHandlersFinished);
    const counts = { attemptsMade: attempts, failedInSchedule: failed, nextAttemptAtMs, lastAnswer };
    const signals = { isRetryRequested: retryRequested, hasCircuitClosed: circuitHasClosed };
    return await continueAsNew<typeof deliverWebhook>({ ...input, ...counts, ...signals, circuitWait });
  }

  /** Each change is an event of the history and a write to the search. */
  function showWait(): void {
    const isWaiting = circuitWait !== null;
    if (isWaiting !== isShownWaiting)
      upsertSearchAttributes([{ key: stateAttribute, value: isWaiting ? 'waiting' : 'retrying' }]);
    isShownWaiting = isWaiting;
  }

  async function waitForAttempt(): Promise<boolean> {
    showWait();
    const { summary, details } = describeWait({ attempts, lastAnswer, nextAttemptAtMs, circuitWait });
    setCurrentDetails(details);
    await condition(() => retryRequested || circuitHasClosed, Math.max(nextAttemptAtMs - Date.now(), 1), { summary });
    const isRequested = retryRequested;
    retryRequested = circuitHasClosed = false; // signals during an attempt apply to the next wait
    return isRequested;
  }

  function end(status: DeliverWebhookResult['status']): DeliverWebhookResult {
    upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    setCurrentDetails(`Ended: ${status} after ${attempts} attempts.`);
    return { status, attempts };
  }
}

interface DeliveryWait {
  readonly attempts: number;
  readonly lastAnswer: string | null;
  readonly nextAttemptAtMs: number;
  /** Null if no circuit is known to be open. */
  readonly circuitWait: CircuitWait | null;
}

/** The texts of a wait: of its timer, and in Markdown for the details of the workflow. */
interface DescribedWait {
  readonly summary: string;
  readonly details: string;
}

function describeCheck({ attempts, circuitWait }: Pick<DeliveryWait, 'attempts' | 'circuitWait'>): string {
  return circuitWait ? `check the circuit of ${circuitWait.destination}` : `check before attempt ${attempts + 1}`;
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}

function describeWait({ attempts, lastAnswer, nextAttemptAtMs, circuitWait }: DeliveryWait): DescribedWait {
  const at = timeText(nextAttemptAtMs);
  if (circuitWait) return describeCircuitWait(circuitWait, { attempts, at });
  return {
    summary: `attempt ${attempts + 1} at ${at}`,
    details: `Attempt ${attempts + 1} at ${at}. Attempts made: ${attempts}${lastAnswer ? `, last: ${lastAnswer}` : ''}.`,
  };
}

function describeCircuitWait(
  { destination, channelId, circuitWorkflowId, lastAnswer, probeAtMs, dashboardUrl }: CircuitWait,
  { attempts, at }: { readonly attempts: number; readonly at: string },
): DescribedWait {
  const probes = probeAtMs === null ? '' : `from ${timeText(probeAtMs)} on, `;
  // Short, because the UI cuts long texts off.
  const lines = [
    '**The circuit of the destination is open.** Nothing is sent until a probe is accepted.',
    '',
    `- Destination: \`${destination}\` of \`${channelId}\`, [delivery in the dashboard](${dashboardUrl})`,
    `- Last answer: ${lastAnswer ?? 'none'}. Attempts made: ${attempts}`,
    `- Probes: ${probes}by the workflow \`${circuitWorkflowId}\``,
    `- The circuit is checked again at ${at}`,
  ];
  return { summary: `circuit of ${destination} is open, check at ${at}`, details: lines.join('\n') };
}
