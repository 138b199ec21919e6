import type { ChannelType } from '../../contract/event-types.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** An accepted message, even if its response was lost. */
export interface SentMessage {
  readonly id: string;
  readonly product: ChannelType;
  readonly account: string;
  readonly to: string;
  readonly recipientKind: 'person' | 'comment' | 'post' | 'ref' | 'group';
  readonly type: string;
  /** Without credentials. */
  readonly body: JsonObject;
  readonly atMs: number;
}

export interface SentAction extends Pick<SentMessage, 'product' | 'account' | 'body' | 'atMs'> {
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

/** Per list. The oldest are dropped first. */
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
  // Dropped in bulk, because dropping one by one would copy the list for each message.
  if (list.length >= 2 * MAX_KEPT) list.splice(0, list.length - MAX_KEPT);
}
