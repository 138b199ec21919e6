import { encodeWebhook } from '../../simulator/webhooks/encode.ts';
import { chatappMessage } from '../../simulator/webhooks/chatapp.ts';
import { envelope } from '../../simulator/webhooks/envelope.ts';
import { newMessageId } from '../../simulator/scripted-api/platform-ids.ts';

export interface BenchEvents {
  /** Channels that take turns. */
  readonly resourceIds: readonly string[];
  readonly count: number;
}

/** As the peers in design.md were measured. */
const BODY_BYTES = 500;
/** Enough that the order of conversations does not bound the rate, few enough that they repeat. */
const CONVERSATIONS = 1_000;
const MARK = 'event #';
const DIGITS = 8;

/** The body of a platform webhook with one message, whose text carries the event's number. */
export function webhookBody({ resourceIds }: Pick<BenchEvents, 'resourceIds'>, sequence: number): Buffer {
  const resourceId = resourceIds[sequence % resourceIds.length] ?? '';
  const text = `${MARK}${String(sequence).padStart(DIGITS, '0')}`;
  const bare = encode(resourceId, sequence, text);
  const padding = ' lorem ipsum dolor sit amet'.repeat(20).slice(0, Math.max(BODY_BYTES - bare.length, 0));
  return padding === '' ? bare : encode(resourceId, sequence, text + padding);
}

/** The number in the text of a delivered event. */
export function sequenceOf(body: Buffer): number | undefined {
  const at = body.indexOf(MARK);
  return at < 0 ? undefined : Number(body.toString('latin1', at + MARK.length, at + MARK.length + DIGITS));
}

function encode(resourceId: string, sequence: number, text: string): Buffer {
  const item = chatappMessage({
    phoneNumberId: resourceId,
    id: newMessageId('chatapp'),
    from: String(15_551_230_000 + (sequence % CONVERSATIONS)),
    atMs: Date.now(),
    text,
  });
  return encodeWebhook(envelope({ items: [item] }));
}
