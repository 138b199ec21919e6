import type { JsonObject, WebhookItem } from './item.ts';
import { personMembers } from './platform-ids.ts';

interface ChatappNumber {
  /** Identifies the channel; the entry's id does not. */
  readonly phoneNumberId: string;
  readonly displayPhoneNumber?: string;
  /** The business account, which is the entry's id. */
  readonly accountId?: string;
}

export interface ChatappMessage extends ChatappNumber {
  readonly id: string;
  /** A phone number, or the id of a person without one. */
  readonly from: string;
  /** True if the business wrote to the person from its phone. */
  readonly isEcho?: boolean;
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
  const parts = { id: message.id, timestamp: seconds(message.atMs), type, [type]: content, ...message.extra };
  if (message.isEcho === true) {
    const from = message.displayPhoneNumber ?? DEFAULT_DISPLAY_NUMBER;
    const echo = { from, ...personMembers(message.from, { number: 'to', userId: 'to_user_id' }), ...parts };
    return chatappItem(
      { number: message, field: 'smb_message_echoes', platformMessageId: message.id },
      { message_echoes: [echo] },
    );
  }
  const sender = personMembers(message.from, { number: 'from', userId: 'from_user_id' });
  return chatappItem(
    { number: message, field: 'messages', platformMessageId: message.id },
    {
      ...(type !== 'system' && { contacts: [contactOf(message)] }),
      messages: [{ ...sender, ...parts }],
    },
  );
}

function contactOf({ from, name = 'Kerry Fisher' }: Pick<ChatappMessage, 'from' | 'name'>): JsonObject {
  return { profile: { name }, ...personMembers(from, { number: 'wa_id', userId: 'user_id' }) };
}

/** A call that the person begins. */
export function chatappCall(call: ChatappMessage): WebhookItem {
  const to = call.displayPhoneNumber ?? DEFAULT_DISPLAY_NUMBER;
  const caller = personMembers(call.from, { number: 'from', userId: 'from_user_id' });
  const facts = { to, event: 'connect', timestamp: seconds(call.atMs), direction: 'USER_INITIATED', ...call.extra };
  const value = { contacts: [contactOf(call)], calls: [{ id: call.id, ...caller, ...facts }] };
  return chatappItem({ number: call, field: 'calls', platformMessageId: call.id }, value);
}

/** The person stops the marketing messages of the business. */
export function chatappPreference(preference: ChatappMessage): WebhookItem {
  const person = personMembers(preference.from, { number: 'wa_id', userId: 'user_id' });
  const facts = { detail: 'User requested to stop marketing messages', category: 'marketing_messages', value: 'stop' };
  const timestamp = Math.floor(preference.atMs / 1000);
  const item = { ...person, ...facts, timestamp, ...preference.extra };
  const value = { contacts: [contactOf(preference)], user_preferences: [item] };
  return chatappItem({ number: preference, field: 'user_preferences', platformMessageId: null }, value);
}

/** An entry of the address book of the business's phone. */
export function chatappContact(entry: ChatappMessage): WebhookItem {
  const { from, name = 'Kerry Fisher', atMs, extra } = entry;
  const contact = { full_name: name, ...personMembers(from, { number: 'phone_number', userId: 'user_id' }) };
  const item = { type: 'contact', contact, action: 'add', metadata: { timestamp: String(atMs) }, ...extra };
  return chatappItem({ number: entry, field: 'smb_app_state_sync', platformMessageId: null }, { state_sync: [item] });
}

/** What a person wrote before the number was connected. */
export function chatappHistory(message: ChatappMessage): WebhookItem {
  const sender = personMembers(message.from, { number: 'from', userId: 'from_user_id' });
  const content = { type: 'text', text: { body: message.text ?? '' }, history_context: { status: 'READ' } };
  const messages = [{ ...sender, id: message.id, timestamp: seconds(message.atMs), ...content, ...message.extra }];
  const thread = { ...personMembers(message.from, { number: 'id', userId: 'user_id' }), messages };
  const chunk = { metadata: { phase: 0, chunk_order: 1, progress: 100 }, threads: [thread] };
  return chatappItem({ number: message, field: 'history', platformMessageId: null }, { history: [chunk] });
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
  return chatappItem(
    { number: status, field: 'messages', platformMessageId: status.id },
    {
      statuses: [
        {
          id: status.id,
          status: status.status,
          timestamp: seconds(status.atMs),
          ...personMembers(status.recipient, { number: 'recipient_id', userId: 'recipient_user_id' }),
          ...(status.status === 'failed' ? { errors: [failure] } : { pricing }),
        },
      ],
    },
  );
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

interface ChatappPlace {
  readonly number: ChatappNumber;
  readonly field: string;
  readonly platformMessageId: string | null;
}

function chatappItem({ number, field, platformMessageId }: ChatappPlace, value: JsonObject): WebhookItem {
  return {
    product: 'chatapp',
    entryId: number.accountId ?? DEFAULT_ACCOUNT_ID,
    platformMessageId,
    place: { in: 'changes', field, value: { metadata: metadata(number), ...value } },
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
