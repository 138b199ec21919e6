import type { Schema } from '../../client/create-client.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import { attemptSentence } from './attempt-sentence.ts';
import { indentJson } from '../terminal/indent-json.ts';
import { type Column, type Field, type Output, type Shown, type Tone, when } from '../terminal/output.ts';
import { safeBlock } from '../terminal/safe-text.ts';
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
/** Below it, payload and attempts would be too narrow to be read beside each other. */
const SIDE_BY_SIDE_WIDTH = 110;

export function shownStatus(status: DeliveryStatus): Shown {
  return { text: status, tone: tones[status] };
}

export function destinationText(destination: Summary['destination']): string | null {
  if (destination === null) return null;
  const { type, url, label, subscriptionId } = destination;
  return [type === 'webhook' ? null : (subscriptionId ?? type), label, url].filter(Boolean).join(' ');
}

/** The delivery whose event it sends again, and the replay that made it; null for one that was made with its event. */
export function originText({ replayOf, replayId }: Pick<Summary, 'replayOf' | 'replayId'>): string | null {
  return [replayOf, replayId && `(${replayId})`].filter(Boolean).join(' ') || null;
}

export const deliveryColumns: readonly Column<Summary>[] = [
  { title: 'RECEIVED (UTC)', of: ({ receivedAt }) => when(receivedAt) },
  { title: 'DELIVERY', of: ({ deliveryId }) => deliveryId },
  { title: 'STATUS', of: ({ status }) => shownStatus(status) },
  { title: 'EVENT', of: ({ eventType }) => eventType },
  { title: 'SENDER', of: ({ sender }) => sender },
  { title: 'DESTINATION', of: ({ destination }) => destinationText(destination) },
  { title: 'REPLAY OF', of: ({ replayOf, replayId }) => replayId ?? replayOf },
];

export function showDelivery(output: Output, delivery: Delivery): void {
  output.record(delivery, fieldsOf(delivery));
  if (output.isJson) return;
  const payload = safeBlock(indentJson(delivery.payload));
  const attempts = safeBlock(attemptsText(delivery));
  output.line();
  if (Number.isFinite(output.width) && output.width >= SIDE_BY_SIDE_WIDTH) {
    return output.block(sideBySide(`PAYLOAD\n${payload}`, `ATTEMPTS\n${attempts}`, output.width));
  }
  output.line(output.painted('strong', 'PAYLOAD'));
  output.block(payload);
  output.line(`\n${output.painted('strong', 'ATTEMPTS')}`);
  output.block(attempts);
}

function fieldsOf(delivery: Delivery): Field[] {
  const { status, skipReason, nextAttemptAt, waitsForCircuit, workflowId, replayOf, replayId } = delivery;
  const optional = (label: string, value: string | null): Field[] => (value === null ? [] : [[label, value]]);
  return [
    ['Delivery', delivery.deliveryId],
    ['Status', shownStatus(status)],
    ...optional('Skipped for', skipReason),
    ['Event', `${delivery.eventType} ${delivery.eventId}`],
    ['Channel', delivery.channelId],
    ['Destination', destinationText(delivery.destination) ?? 'none'],
    ['Sender', delivery.sender],
    ['Message id', delivery.platformMessageId],
    ['Received (UTC)', when(delivery.receivedAt)],
    ...optional('Made (UTC)', replayOf && when(delivery.createdAt)),
    ...optional('Next attempt', when(nextAttemptAt)),
    ...optional(
      'Waits for',
      waitsForCircuit && `its receiver (${waitsForCircuit.reason}); next probe ${when(waitsForCircuit.nextProbeAt)}`,
    ),
    ...optional('Workflow', workflowId),
    ...optional('Replay of', replayOf),
    ...optional('Replay', replayId),
  ];
}

function attemptsText({ attempts }: Delivery): string {
  if (attempts.length === 0) return 'none yet';
  return attempts
    .map((attempt) => {
      const head = `#${attempt.number}  ${when(attempt.startedAt)}  ${attemptSentence(attempt)}`;
      const headers = Object.entries(attempt.responseHeaders).map(([name, value]) => `  ${name}: ${String(value)}`);
      const body = attempt.responseBody
        ? indentJson(attempt.responseBody)
            .split('\n')
            .map((line) => `  ${line}`)
        : [];
      return [head, ...headers, ...(body.length > 0 ? ['', ...body] : [])].join('\n');
    })
    .join('\n\n');
}
