import type { ChannelType } from '../../contract/event-types.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** A message that the platform has accepted, even if its answer was lost. */
export interface SentMessage {
  /** The platform's message id. */
  readonly id: string;
  readonly product: ChannelType;
  /** The number, account or Page that sent it. */
  readonly account: string;
  /** A phone number, a person, a group, or the comment or post that is answered privately. */
  readonly to: string;
  readonly recipientKind: 'person' | 'comment' | 'post' | 'ref' | 'group';
  /** `text`, `image`, `template` …; of an attachment, its own type. */
  readonly type: string;
  /** The parameters without credentials. */
  readonly body: JsonObject;
  readonly atMs: number;
}

/** A read mark, a typing indicator or a reaction. */
export interface SentAction extends Pick<SentMessage, 'product' | 'account' | 'body' | 'atMs'> {
  /** `read`, `typing`, or the `sender_action`. */
  readonly type: string;
  readonly to: string;
}

export interface WebhookCounts {
  readonly posted: number;
  readonly failed: number;
}

export interface MessageLog {
  addMessage(message: SentMessage): void;
  addAction(action: SentAction): void;
  sent(): readonly SentMessage[];
  actions(): readonly SentAction[];
  countWebhook(outcome: keyof WebhookCounts): void;
  webhookCounts(): WebhookCounts;
  clear(): void;
}

/** Per list; the oldest entries are dropped first. */
const MAX_KEPT = 10_000;
const noWebhooks: WebhookCounts = { posted: 0, failed: 0 };

export function createMessageLog(): MessageLog {
  let sent: SentMessage[] = [];
  let actions: SentAction[] = [];
  let webhooks = noWebhooks;

  return {
    addMessage: (message) => keep(sent, message),
    addAction: (action) => keep(actions, action),
    sent: () => [...sent],
    actions: () => [...actions],
    countWebhook(outcome) {
      webhooks = { ...webhooks, [outcome]: webhooks[outcome] + 1 };
    },
    webhookCounts: () => webhooks,
    clear() {
      sent = [];
      actions = [];
      webhooks = noWebhooks;
    },
  };
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  // In bulk: dropping entries one by one would copy the list for each message of a long run.
  if (list.length >= 2 * MAX_KEPT) list.splice(0, list.length - MAX_KEPT);
}
