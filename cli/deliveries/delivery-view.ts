import type { Schema } from '../../client/create-client.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import { describeAttempt } from './describe-attempt.ts';
import { indentJson } from '../terminal/indent-json.ts';
import {
  type Column,
  type Field,
  type Output,
  type CellValue,
  type Tone,
  type TonedText,
  formatTime,
  timeCell,
} from '../terminal/output.ts';
import { safeBlock } from '../../contract/text/safe-text.ts';
import { sideBySide } from '../terminal/side-by-side.ts';

type Summary = Schema<'DeliverySummary'>;
type Delivery = Schema<'Delivery'>;

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'busy',
  retrying: 'busy',
  delivered: 'good',
  exhausted: 'bad',
  cancelled: 'quiet',
  skipped: 'quiet',
};
const SIDE_BY_SIDE_WIDTH = 110;

export function statusCell(status: DeliveryStatus): TonedText {
  return { text: status, tone: tones[status] };
}

export function destinationText(destination: Summary['destination']): string | null {
  if (destination === null) return null;
  const { type, url, label, subscriptionId } = destination;
  return [type === 'webhook' ? null : (subscriptionId ?? type), label, url].filter(Boolean).join(' ');
}

export function originText({ replayOf, replayId }: Pick<Summary, 'replayOf' | 'replayId'>): string | null {
  return [replayOf, replayId && `(${replayId})`].filter(Boolean).join(' ') || null;
}

export const deliveryColumns: readonly Column<Summary>[] = [
  { title: 'RECEIVED (UTC)', of: ({ receivedAt }) => timeCell(receivedAt) },
  { title: 'DELIVERY', of: ({ deliveryId }) => deliveryId },
  { title: 'STATUS', of: ({ status }) => statusCell(status) },
  { title: 'EVENT', of: ({ eventType }) => eventType },
  { title: 'SENDER', of: ({ sender }) => sender },
  { title: 'DESTINATION', of: ({ destination }) => destinationText(destination) },
  { title: 'REPLAY OF', of: ({ replayOf, replayId }) => replayId ?? replayOf },
];

export function showDelivery(output: Output, delivery: Delivery, links: readonly Field[] = []): void {
  output.record(delivery, [...fieldsOf(delivery), ...links]);
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

function fieldsOf(delivery: Delivery): Field[] {
  const { status, skipReason, nextAttemptAt, waitsForCircuit, workflowId, replayOf, replayId } = delivery;
  const optional = (label: string, value: CellValue): Field[] => (value === null ? [] : [[label, value]]);
  return [
    ['Delivery', delivery.deliveryId],
    ['Status', statusCell(status)],
    ...optional('Skip reason', skipReason),
    ['Event', `${delivery.eventType} ${delivery.eventId}`],
    ['Channel', delivery.channelId],
    ['Destination', destinationText(delivery.destination) ?? 'none'],
    ['Sender', delivery.sender],
    ['Message ID', delivery.platformMessageId],
    ['Received (UTC)', timeCell(delivery.receivedAt)],
    ...optional('Created (UTC)', replayOf && timeCell(delivery.createdAt)),
    ...optional('Next attempt', timeCell(nextAttemptAt)),
    ...optional(
      'Waiting for',
      waitsForCircuit && `circuit (${waitsForCircuit.reason}), next probe ${formatTime(waitsForCircuit.nextProbeAt)}`,
    ),
    ...optional('Workflow', workflowId),
    ...optional('Replay of', replayOf),
    ...optional('Replay', replayId),
    ...optional('Trace', delivery.traceId),
  ];
}

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
