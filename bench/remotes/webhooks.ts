import { chatappMessage } from '../../simulator/webhooks/chatapp.ts';
import { encodeWebhook, envelope } from '../../simulator/webhooks/envelope.ts';
import { newMessageId } from '../../simulator/webhooks/platform-ids.ts';

export interface BenchEvents {
  readonly resourceIds: readonly string[];
  readonly count: number;
  /** Optional. Default: 2,000. More than events, and each is a conversation of its own. */
  readonly conversations?: number;
}

/** The size used in published figures of comparable systems. */
const BODY_BYTES = 500;
/** Ordering must not limit the rate, but conversations must repeat. */
const CONVERSATIONS = 2_000;
const MARK = 'event #';
const DIGITS = 8;

export function webhookBody(events: Omit<BenchEvents, 'count'>, sequence: number): Buffer {
  const { resourceIds, conversations = CONVERSATIONS } = events;
  const resourceId = resourceIds[sequence % resourceIds.length] ?? '';
  const conversation = sequence % conversations;
  const text = `${MARK}${String(sequence).padStart(DIGITS, '0')}`;
  const bare = encode(resourceId, conversation, text);
  const padding = ' lorem ipsum dolor sit amet'.repeat(20).slice(0, Math.max(BODY_BYTES - bare.length, 0));
  return padding === '' ? bare : encode(resourceId, conversation, text + padding);
}

export function sequenceOf(body: Buffer): number | undefined {
  const at = body.indexOf(MARK);
  return at < 0 ? undefined : Number(body.toString('latin1', at + MARK.length, at + MARK.length + DIGITS));
}

function encode(resourceId: string, conversation: number, text: string): Buffer {
  const item = chatappMessage({
    phoneNumberId: resourceId,
    id: newMessageId('chatapp'),
    from: String(15_551_230_000 + conversation),
    atMs: Date.now(),
    text,
  });
  return encodeWebhook(envelope({ items: [item] }));
}
