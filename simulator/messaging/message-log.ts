import type { ChannelType } from '../../contract/event-types.ts';
import type { MessagingStep } from './control.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** A message that the platform has taken, also one whose answer was lost. */
export interface SentMessage {
  /** The platform's id of it. */
  readonly id: string;
  readonly product: ChannelType;
  /** The number, account or Page that sent it. */
  readonly account: string;
  /** A phone number, a person, a group, or the comment or post that is answered privately. */
  readonly to: string;
  readonly recipientKind: 'person' | 'comment' | 'post' | 'ref' | 'group';
  /** `text`, `image`, `template` …; an attachment's own type. */
  readonly type: string;
  /** What was asked, without the parameters that prove who asks. */
  readonly body: JsonObject;
  readonly atMs: number;
}

/** A mark of reading, a sign of typing or a reaction by `sender_action`: taken, and no message. */
export interface SentAction extends Pick<SentMessage, 'product' | 'account' | 'body' | 'atMs'> {
  /** `read`, `typing`, or the sender's own word. */
  readonly type: string;
  readonly to: string;
}

/** How often each kind of call came, and how it ended; `webhooks` are the posts that came of sends. */
export interface MessagingCounts {
  readonly calls: Readonly<Partial<Record<MessagingStep, number>>>;
  readonly answered: number;
  readonly refused: number;
  readonly lost: number;
  readonly webhooks: { readonly posted: number; readonly failed: number };
}

export interface MessagingLog {
  addMessage(message: SentMessage): void;
  addAction(action: SentAction): void;
  sent(): readonly SentMessage[];
  actions(): readonly SentAction[];
  countCall(at: MessagingStep, ending: 'answered' | 'refused' | 'lost'): void;
  countWebhook(ending: 'posted' | 'failed'): void;
  counts(): MessagingCounts;
  clear(): void;
}

/** Of each kind; the oldest go first. */
const MAX_KEPT = 10_000;

export function createMessagingLog(): MessagingLog {
  let sent: SentMessage[] = [];
  let actions: SentAction[] = [];
  let calls: Partial<Record<MessagingStep, number>> = {};
  let endings = { answered: 0, refused: 0, lost: 0 };
  let webhooks = { posted: 0, failed: 0 };

  return {
    addMessage: (message) => keep(sent, message),
    addAction: (action) => keep(actions, action),
    sent: () => [...sent],
    actions: () => [...actions],
    countCall(at, ending) {
      calls[at] = (calls[at] ?? 0) + 1;
      endings[ending] += 1;
    },
    countWebhook(ending) {
      webhooks[ending] += 1;
    },
    counts: () => ({ calls: { ...calls }, ...endings, webhooks: { ...webhooks } }),
    clear() {
      sent = [];
      actions = [];
      calls = {};
      endings = { answered: 0, refused: 0, lost: 0 };
      webhooks = { posted: 0, failed: 0 };
    },
  };
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  // In bulk: shifting one by one would copy the list for every message of a long run.
  if (list.length >= 2 * MAX_KEPT) list.splice(0, list.length - MAX_KEPT);
}
