import type { JsonObject, WebhookItem } from './item.ts';
import { businessScopedId } from './platform-ids.ts';

interface ChatappNumber {
  /** Identifies the channel; the entry's id does not. */
  readonly phoneNumberId: string;
  readonly displayPhoneNumber?: string;
  /** The business account, which is the entry's id. */
  readonly accountId?: string;
}

export interface ChatappMessage extends ChatappNumber {
  readonly id: string;
  readonly from: string;
  readonly atMs: number;
  readonly text?: string;
  readonly name?: string;
  /** `content` holds the object of the type. Default: `text`. */
  readonly type?: string;
  readonly content?: JsonObject;
  readonly extra?: JsonObject;
}

export interface ChatappStatus extends ChatappNumber {
  readonly id: string;
  readonly recipient: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly atMs: number;
}

export interface ChatappOther extends ChatappNumber {
  readonly field: string;
  readonly atMs: number;
  readonly value: JsonObject;
}

const DEFAULT_ACCOUNT_ID = '102290129340398';
const DEFAULT_DISPLAY_NUMBER = '15550783881';

export function chatappMessage(message: ChatappMessage): WebhookItem {
  const type = message.type ?? 'text';
  const content = type === 'text' ? { body: message.text ?? '' } : (message.content ?? {});
  const userId = businessScopedId(message.from);
  const contact = { profile: { name: message.name ?? 'Kerry Fisher' }, wa_id: message.from, user_id: userId };
  return chatappItem(message, message.id, {
    ...(type !== 'system' && { contacts: [contact] }),
    messages: [
      {
        ...{ from: message.from, from_user_id: userId, id: message.id, timestamp: seconds(message.atMs), type },
        ...{ [type]: content, ...message.extra },
      },
    ],
  });
}

/** A status has no contact and no sender. */
export function chatappStatus(status: ChatappStatus): WebhookItem {
  const failure = {
    code: 131026,
    title: 'Message undeliverable',
    message: 'Message undeliverable',
    error_data: { details: 'Message Undeliverable.' },
  };
  const pricing = { billable: true, pricing_model: 'PMP', category: 'service' };
  return chatappItem(status, status.id, {
    statuses: [
      {
        id: status.id,
        status: status.status,
        timestamp: seconds(status.atMs),
        recipient_id: status.recipient,
        recipient_user_id: businessScopedId(status.recipient),
        ...(status.status === 'failed' ? { errors: [failure] } : { pricing }),
      },
    ],
  });
}

/** Notices about the business account name no number. */
const noticeFields: readonly string[] = [
  ...['account_update', 'account_review_update', 'account_alerts', 'account_settings_update'],
  ...['business_capability_update', 'business_status_update', 'flows', 'partner_solutions', 'security'],
  ...['message_template_status_update', 'message_template_quality_update', 'message_template_components_update'],
  ...['template_category_update', 'payment_configuration_update'],
  ...['phone_number_name_update', 'phone_number_quality_update'],
];

export function chatappOther(other: ChatappOther): WebhookItem {
  const { field, value, atMs, accountId = DEFAULT_ACCOUNT_ID } = other;
  const isNotice = noticeFields.includes(field);
  return {
    product: 'chatapp',
    entryId: accountId,
    ...(isNotice && { entryTime: Math.floor(atMs / 1000) }),
    platformMessageId: null,
    place: { in: 'changes', field, value: isNotice ? value : { metadata: metadata(other), ...value } },
  };
}

function chatappItem(number: ChatappNumber, platformMessageId: string, value: JsonObject): WebhookItem {
  return {
    product: 'chatapp',
    entryId: number.accountId ?? DEFAULT_ACCOUNT_ID,
    platformMessageId,
    place: { in: 'changes', field: 'messages', value: { metadata: metadata(number), ...value } },
  };
}

function metadata(number: ChatappNumber): JsonObject {
  return {
    display_phone_number: number.displayPhoneNumber ?? DEFAULT_DISPLAY_NUMBER,
    phone_number_id: number.phoneNumberId,
  };
}

function seconds(atMs: number): string {
  return String(Math.floor(atMs / 1000));
}
