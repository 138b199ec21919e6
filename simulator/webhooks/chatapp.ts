import type { JsonObject, WebhookItem } from './item.ts';
import { personMembers } from './platform-ids.ts';

interface ChatappNumber {
  /** Identifies the channel; the entry's id does not. */
  readonly phoneNumberId: string;
  readonly displayPhoneNumber?: string;
  /** The business account, which is the entry's id. */
  readonly accountId?: string;
  readonly atMs: number;
}

interface ChatappMessage extends ChatappNumber {
  readonly id: string;
  /** A phone number, or the id of a person without one. */
  readonly from: string;
  readonly text?: string;
}

const DEFAULT_ACCOUNT_ID = '102290129340398';

export function chatappMessage({ id, from, text = '', ...number }: ChatappMessage): WebhookItem {
  const contact = { profile: { name: 'Kerry Fisher' }, ...personMembers(from, { number: 'wa_id', userId: 'user_id' }) };
  const sender = personMembers(from, { number: 'from', userId: 'from_user_id' });
  const message = { ...sender, id, timestamp: secondsOf(number), type: 'text', text: { body: text } };
  return messagesItem(number, id, { contacts: [contact], messages: [message] });
}

interface ChatappStatus extends ChatappNumber {
  readonly id: string;
  readonly recipient: string;
  readonly status: 'sent' | 'delivered' | 'read';
}

/** A status has no contact and no sender. */
export function chatappStatus({ id, recipient, status, ...number }: ChatappStatus): WebhookItem {
  const person = personMembers(recipient, { number: 'recipient_id', userId: 'recipient_user_id' });
  const pricing = { billable: true, pricing_model: 'PMP', category: 'service' };
  return messagesItem(number, id, { statuses: [{ id, status, timestamp: secondsOf(number), ...person, pricing }] });
}

function messagesItem(number: ChatappNumber, platformMessageId: string, value: JsonObject): WebhookItem {
  return {
    product: 'chatapp',
    entryId: number.accountId ?? DEFAULT_ACCOUNT_ID,
    platformMessageId,
    place: { in: 'changes', field: 'messages', value: { metadata: metadata(number), ...value } },
  };
}

/** Notices about the business account name no number. */
const noticeFields: readonly string[] = [
  ...['account_update', 'account_review_update', 'account_alerts', 'account_settings_update'],
  ...['business_capability_update', 'business_status_update', 'flows', 'partner_solutions', 'security'],
  ...['message_template_status_update', 'message_template_quality_update', 'message_template_components_update'],
  ...['template_category_update', 'payment_configuration_update'],
  ...['phone_number_name_update', 'phone_number_quality_update'],
];

interface ChatappOther extends ChatappNumber {
  readonly field: string;
  readonly value: JsonObject;
}

export function chatappOther({ field, value, ...number }: ChatappOther): WebhookItem {
  const isNotice = noticeFields.includes(field);
  return {
    product: 'chatapp',
    entryId: number.accountId ?? DEFAULT_ACCOUNT_ID,
    ...(isNotice && { entryTime: Math.floor(number.atMs / 1000) }),
    platformMessageId: null,
    place: { in: 'changes', field, value: isNotice ? value : { metadata: metadata(number), ...value } },
  };
}

function metadata({ displayPhoneNumber = '15550783881', phoneNumberId }: ChatappNumber): JsonObject {
  return { display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId };
}

function secondsOf({ atMs }: ChatappNumber): string {
  return String(Math.floor(atMs / 1000));
}
