import type { Schema } from '../../client/create-client.ts';
import { indentJson } from '../terminal/indent-json.ts';
import { type Field, fieldsOf, formatTime, type Output, timeCell, toned, type View } from '../terminal/output.ts';
import { safeBlock } from '../../contract/text/safe-text.ts';
import { sideBySide } from '../terminal/side-by-side.ts';

type Summary = Schema<'DeliverySummary'>;
type Delivery = Schema<'Delivery'>;

export const statusCell = toned('status', {
  pending: 'busy',
  retrying: 'busy',
  delivered: 'good',
  exhausted: 'bad',
  cancelled: 'quiet',
  skipped: 'quiet',
});
const SIDE_BY_SIDE_WIDTH = 110;

export function describeAttempt({ outcome, status, durationMs, error }: Schema<'DeliveryAttempt'>): string {
  const answer = status === null ? outcome.replace('_', ' ') : `${outcome}, HTTP ${status}`;
  return `${answer} in ${durationMs} ms${error === null ? '' : `: ${error}`}`;
}

export function destinationText(destination: Summary['destination']): string | null {
  if (destination === null) return null;
  const { type, url, label, subscriptionId } = destination;
  return [type === 'webhook' ? null : (subscriptionId ?? type), label, url].filter(Boolean).join(' ');
}

export function originText({ replayOf, replayId }: Pick<Summary, 'replayOf' | 'replayId'>): string | null {
  return [replayOf, replayId && `(${replayId})`].filter(Boolean).join(' ') || null;
}

export const deliveryColumns: View<Summary> = {
  'RECEIVED (UTC)': 'receivedAt',
  DELIVERY: 'deliveryId',
  STATUS: statusCell,
  EVENT: 'eventType',
  SENDER: 'sender',
  DESTINATION: ({ destination }) => destinationText(destination),
  'REPLAY OF': ({ replayOf, replayId }) => replayId ?? replayOf,
};

export function showDelivery(output: Output, delivery: Delivery, links: readonly Field[] = []): void {
  output.record(delivery, [...fieldsOf(fields, delivery), ...links]);
  if (output.isJson) return;
  const payload = safeBlock(indentJson(delivery.payload));
  const attempts = safeBlock(attemptsText(delivery));
  output.line();
  if (Number.isFinite(output.width) && output.width >= SIDE_BY_SIDE_WIDTH) {
    return output.block(sideBySide(`PAYLOAD\n${payload}`, `ATTEMPTS\n${attempts}`, output.width));
  }
  output.line(output.paint('strong', 'PAYLOAD'));
  output.block(payload);
  output.line(`\n${output.paint('strong', 'ATTEMPTS')}`);
  output.block(attempts);
}

const fields: View<Delivery> = {
  Delivery: 'deliveryId',
  Status: statusCell,
  'Skip reason': 'skipReason',
  Event: ({ eventType, eventId }) => `${eventType} ${eventId}`,
  Channel: 'channelId',
  Destination: ({ destination }) => destinationText(destination) ?? 'none',
  Sender: 'sender',
  'Message ID': 'platformMessageId',
  'Received (UTC)': 'receivedAt',
  'Created (UTC)': ({ replayOf, createdAt }) => (replayOf === null ? undefined : timeCell(createdAt)),
  'Next attempt': 'nextAttemptAt',
  'Waiting for': ({ waitsForCircuit: circuit }) =>
    circuit ? `circuit (${circuit.reason}), next probe ${formatTime(circuit.nextProbeAt)}` : undefined,
  Workflow: 'workflowId',
  'Replay of': 'replayOf',
  Replay: 'replayId',
  Trace: 'traceId',
};

function attemptsText({ attempts, deliveryId }: Delivery): string {
  if (attempts.length === 0) return 'none';
  return attempts
    .map((attempt) => {
      const head = `#${attempt.number}  ${formatTime(attempt.startedAt)}  ${describeAttempt(attempt)}`;
      const headers = Object.entries(attempt.responseHeaders).map(([name, value]) => `  ${name}: ${String(value)}`);
      const body = attempt.responseBody
        ? indentJson(attempt.responseBody)
            .split('\n')
            .map((line) => `  ${line}`)
        : [];
      return [head, ...togetherWith(attempt, deliveryId), ...headers, ...(body.length > 0 ? ['', ...body] : [])].join(
        '\n',
      );
    })
    .join('\n\n');
}

/** The other deliveries in the request of a debounced destination. */
function togetherWith({ batch }: Delivery['attempts'][number], deliveryId: string): string[] {
  const others = batch?.deliveryIds.filter((id) => id !== deliveryId) ?? [];
  return others.length === 0 ? [] : [`  sent together with ${others.join(' ')}`];
}
