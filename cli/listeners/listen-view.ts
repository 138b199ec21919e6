import type { Schema } from '../../client/create-client.ts';
import { indentJson } from '../terminal/indent-json.ts';
import { type Output, formatTime } from '../terminal/output.ts';
import type { Run } from '../commands/run.ts';
import { safeLine } from '../../contract/text/safe-text.ts';
import { padText } from '../terminal/text-width.ts';
import type { LocalResponse } from './forward.ts';

interface Event {
  readonly delivery: Schema<'ListenerDelivery'>;
  readonly answer: LocalResponse | null;
  readonly failures: number;
}

const TYPE_WIDTH = 'photoapp.comment.received'.length;

export function showEvent(
  { output, world }: Pick<Run, 'output' | 'world'>,
  { delivery, answer, failures }: Event,
  { isPrinted }: { isPrinted: boolean },
): void {
  const { deliveryId, eventId, eventType, receivedAt, sender, payload } = delivery;
  if (output.isJson) {
    const { outcome = null, status = null, durationMs = null, error = null } = answer ?? {};
    const local = answer && { outcome, status, durationMs, error };
    return output.jsonLine({
      deliveryId,
      eventId,
      eventType,
      receivedAt,
      sender,
      failures,
      local,
      ...(isPrinted && { payload }),
    });
  }
  const at = timeOf(receivedAt, new Date(world.now()).toISOString());
  const parts = [at, padText(eventType, TYPE_WIDTH), deliveryId, sender ?? undefined].filter(
    (part) => part !== undefined,
  );
  output.line(
    `${parts.map((part) => safeLine(part)).join('  ')}  ${answer ? answerText(output, answer, failures) : ''}`.trimEnd(),
  );
  if (isPrinted) output.block(indentJson(payload));
}

function timeOf(receivedAt: string, now: string): string {
  const day = '2026-01-01'.length;
  const text = formatTime(receivedAt) ?? '';
  return receivedAt.slice(0, day) === now.slice(0, day) ? text.slice(day + 1) : text;
}

function answerText(output: Output, { outcome, status, durationMs, error }: LocalResponse, failures: number): string {
  const text = safeLine(`${status ?? error}  ${durationMs} ms`);
  const retries = failures > 1 ? `  (failed ${failures} times)` : '';
  return output.paint(outcome === 'accepted' ? 'good' : 'bad', text) + retries;
}
