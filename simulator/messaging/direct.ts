import { randomInt } from 'node:crypto';
import type { ChannelType } from '../../contract/event-types.ts';
import { objectAt, textAt } from '../scripted-api/parameters.ts';
import { invalidParameter, Refusal } from '../scripted-api/refusals.ts';
import type { Effect } from '../scripted-api/settle.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { newMessageId } from '../webhooks/platform-ids.ts';
import { checkMessage, tagOf } from './direct-content.ts';
import { messagingRefusals } from './refusals.ts';
import { actionType, bodyOf, done, recipientKeys, type MessagingCall, type MessagingState } from './state.ts';
import type { SentMessage } from './webhooks.ts';
import { DAY_MS } from './windows.ts';

interface DirectCall extends MessagingCall {
  readonly product: Exclude<ChannelType, 'chatapp'>;
}

interface Recipient {
  readonly kind: SentMessage['recipientKind'];
  readonly id: string;
}

const REPLY_DAYS = 7;
const senderActions = ['mark_seen', 'typing_on', 'typing_off', 'react', 'unreact'];

export function sendDirect(state: MessagingState, { product, target, parameters }: DirectCall): Effect {
  const { script, sent, windows, webhooks, onDirect } = state;
  const settings = script.settings();
  const body = bodyOf(parameters);
  const recipient = recipientOf(product, body);
  checkMessage(product, body);
  const account = target.id;
  const nowMs = state.now();
  if (isReply(recipient)) checkReply(state, { id: recipient.id, nowMs });
  if (recipient.kind === 'person' && settings.windows) checkWindow(state, { account, from: recipient.id, body, nowMs });

  const known = recipient.kind === 'person' ? recipient.id : state.commentOf(recipient.id)?.from;
  if (isReply(recipient)) windows.recordReply(recipient.id);
  const id = newMessageId(product);
  const to = { to: recipient.id, recipientKind: recipient.kind, type: messageType(body) };
  const message: SentMessage = { id, product, account, ...to, body, atMs: nowMs };
  sent.add(message);
  const person = known ?? newPersonId();
  onDirect(message, person);
  webhooks.echo({ message, recipient: person, realWords: settings.words === 'real' }, settings.webhooks);
  // The platform does not reveal the author of an unknown comment.
  const isNamed = known !== undefined || product === 'photoapp';
  return done({ ...(isNamed && { recipient_id: person }), message_id: id });
}

export function actDirect(state: MessagingState, { product, target, parameters }: DirectCall): Effect {
  const body = bodyOf(parameters);
  const { kind, id: to } = recipientOf(product, body);
  const action = actionType(body);
  if (kind !== 'person') throw invalidParameter('The parameter recipient[id] is required.');
  if (!senderActions.includes(action))
    throw invalidParameter(`Param sender_action must be one of {${senderActions.join(', ')}}.`);
  if (body['message'] !== undefined) throw invalidParameter('Only one of message and sender_action is allowed.');
  if (action === 'react' || action === 'unreact')
    checkReaction(product, { action, payload: objectAt(body, 'payload') ?? {} });
  state.actions.add({ product, account: target.id, to, type: action, body, atMs: state.now() });
  return done({ recipient_id: to });
}

function checkReaction(
  product: DirectCall['product'],
  { action, payload }: { action: string; payload: JsonObject },
): void {
  if (textAt(payload, 'message_id') === undefined)
    throw invalidParameter('The parameter payload[message_id] is required.');
  if (action === 'unreact' || textAt(payload, 'reaction') !== undefined) return;
  throw invalidParameter(
    `The parameter payload[reaction] is required${product === 'photoapp' ? ' for this account' : ''}.`,
  );
}

function recipientOf(product: DirectCall['product'], body: JsonObject): Recipient {
  const recipient = objectAt(body, 'recipient');
  if (!recipient) throw invalidParameter('The parameter recipient is required.');
  const keys = product === 'pageapp' ? recipientKeys : recipientKeys.slice(0, 2);
  const present = keys.filter((key) => textAt(recipient, key) !== undefined);
  const [key] = present;
  if (present.length !== 1 || key === undefined)
    throw invalidParameter(`Param recipient needs one of {${keys.join(', ')}}.`);
  return { kind: kinds[key], id: textAt(recipient, key) ?? '' };
}

const kinds = { id: 'person', comment_id: 'comment', post_id: 'post', user_ref: 'ref' } as const;

function isReply({ kind }: Recipient): boolean {
  return kind === 'comment' || kind === 'post';
}

/** Allows one private reply, within seven days. */
function checkReply({ windows, commentOf }: MessagingState, { id, nowMs }: { id: string; nowMs: number }): void {
  if (windows.hasReply(id)) throw new Refusal(messagingRefusals.alreadyReplied);
  const comment = commentOf(id);
  const isTooLate = comment !== undefined && nowMs - comment.atMs >= REPLY_DAYS * DAY_MS;
  if (isTooLate) throw new Refusal(messagingRefusals.replyTooLate);
}

interface Sending {
  readonly account: string;
  readonly from: string;
  readonly body: JsonObject;
  readonly nowMs: number;
}

/** `HUMAN_AGENT` allows seven days; other tags need no window. */
function checkWindow({ windows }: MessagingState, { account, from, body, nowMs }: Sending): void {
  const tag = tagOf(body);
  if (tag !== undefined && tag !== 'HUMAN_AGENT') return;
  const withinMs = tag === 'HUMAN_AGENT' ? 7 * DAY_MS : DAY_MS;
  if (!windows.isOpen({ account, from }, { withinMs, nowMs })) throw new Refusal(messagingRefusals.outsideWindow);
}

function newPersonId(): string {
  return `9${randomInt(1e7).toString().padStart(7, '0')}${randomInt(1e8).toString().padStart(8, '0')}`;
}

function messageType(values: JsonObject): string {
  const { attachment, attachments = attachment } = objectAt(values, 'message') ?? {};
  const first: unknown = Array.isArray(attachments) ? attachments[0] : attachments;
  return textAt(objectAt({ first }, 'first') ?? {}, 'type') ?? 'text';
}
