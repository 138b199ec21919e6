import { objectAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { isBusinessScopedId, newMessageId, personMembers } from '../webhooks/platform-ids.ts';
import { checkContent } from './chatapp-content.ts';
import { numberOf } from './chatapp-number.ts';
import { checkTemplate } from './chatapp-templates.ts';
import { invalidValue, messagingRefusals, missingParameter } from './refusals.ts';
import { actionType, bodyOf, chatappWord, done, isRealWord, type MessagingCall, type MessagingState } from './state.ts';
import { DAY_MS } from './windows.ts';

const MAX_CALLBACK_DATA = 512;

export function sendChatapp(state: MessagingState, call: MessagingCall): Effect {
  const { script, sent, accounts, webhooks } = state;
  const settings = script.settings();
  const body = bodyOf(call.parameters);
  const word = chatappWord(body, settings);
  const { to, waId, isLost } = recipientOf(body);
  const { type } = checkContent(body, {
    hasMedia: (id) => state.media.find(id)?.account === call.target.id,
    checkTemplate,
  });
  checkEnvelope(body);
  const account = call.target.id;
  const number = numberOf(accounts.state().numbers, account);
  if (accounts.factsOf(account).status === 'PENDING') throw new Refusal(messagingRefusals.notRegistered);
  if (waId === number.number.replace(/\D/g, '')) throw new Refusal(messagingRefusals.ownNumber);
  const nowMs = state.now();
  if (settings.windows && type !== 'template') checkWindow(state, { account, waId, nowMs });

  const id = newMessageId('chatapp');
  const message = {
    id,
    product: 'chatapp',
    account,
    to: waId,
    recipientKind: 'person',
    type,
    body,
    atMs: nowMs,
  } as const;
  const answer = done({
    messaging_product: word,
    contacts: [{ input: to, ...personMembers(waId, { number: 'wa_id', userId: 'user_id' }) }],
    messages: [{ id, ...(type === 'template' && { message_status: 'accepted' }) }],
  });
  if (isLost) return answer;
  sent.add(message);
  webhooks.statuses({ message, recipient: waId, number, realWords: isRealWord(word) }, settings.webhooks);
  return answer;
}

export function actChatapp(state: MessagingState, { target, parameters }: MessagingCall): Effect {
  const body = bodyOf(parameters);
  chatappWord(body, state.script.settings());
  if (body['status'] !== 'read') throw invalidParameter('Param status must be one of {READ}.');
  const messageId = textAt(body, 'message_id');
  if (messageId === undefined) throw invalidParameter('The parameter message_id is required.');
  if (!messageId.startsWith('wamid.')) throw invalidValue(`There is no message with the id ${messageId}.`);
  const indicator = body['typing_indicator'];
  if (indicator !== undefined && objectAt(body, 'typing_indicator')?.['type'] !== 'text') {
    throw invalidParameter('Param typing_indicator.type must be text.');
  }
  const action = { product: 'chatapp', account: target.id, to: messageId, type: actionType(body), body } as const;
  state.actions.add({ ...action, atMs: state.now() });
  return done({ success: true });
}

interface ChatappRecipient {
  readonly to: string;
  readonly waId: string;
  /** The platform accepts the message and sends it to no one. */
  readonly isLost: boolean;
}

/** With both, the number counts. */
function recipientOf(body: JsonObject): ChatappRecipient {
  if ((body['recipient_type'] ?? 'individual') !== 'individual') {
    throw invalidParameter('Param recipient_type must be one of {INDIVIDUAL}.');
  }
  const to = textAt(body, 'to');
  const userId = textAt(body, 'recipient');
  if (to === undefined && userId === undefined) throw invalidParameter('The parameter to is required.');
  if (to === undefined) {
    if (!isBusinessScopedId(userId!)) throw invalidValue('Param recipient is no user id.');
    return { to: userId!, waId: userId!, isLost: false };
  }
  // The country code of a user id is cut off, and the rest is read as a number.
  if (isBusinessScopedId(to)) return { to, waId: to.replace(/^.*[.]/, ''), isLost: true };
  const waId = to.replace(/[\s().+-]/g, '');
  if (!/^\d{5,20}$/.test(waId)) throw invalidValue('Param to is no phone number.');
  return { to, waId, isLost: false };
}

function checkEnvelope(body: JsonObject): void {
  if (body['context'] !== undefined && textAt(objectAt(body, 'context') ?? {}, 'message_id') === undefined) {
    throw missingParameter('context.message_id');
  }
  const data = body['biz_opaque_callback_data'];
  if (data === undefined || (typeof data === 'string' && data.length <= MAX_CALLBACK_DATA)) return;
  throw invalidParameter(`Param biz_opaque_callback_data must be at most ${MAX_CALLBACK_DATA} characters long.`);
}

function checkWindow(
  { windows }: MessagingState,
  { account, waId, nowMs }: { account: string; waId: string; nowMs: number },
): void {
  if (windows.isOpen({ account, from: waId }, { withinMs: DAY_MS, nowMs })) return;
  throw new Refusal(messagingRefusals.closedWindow);
}
