import type { ChannelType } from '../../contract/event-types.ts';
import { looksLikeChatappMedia } from './chatapp-media.ts';
import { asksForNumber } from './chatapp-number.ts';
import type { MessagingStep } from './control.ts';
import { objectAt, textAt } from './parameters.ts';
import type { MessagingSubject } from './script.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** Where a call goes, as far as its address tells. */
export interface MessagingTarget {
  /** A call to `messages` may still turn out to be an action. */
  readonly at: MessagingStep;
  /** The id in the address: an account, a business account, or an uploaded file. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

interface Addressed {
  readonly method: string;
  readonly url: URL;
  readonly isMultipart: boolean;
  readonly isNumber: (id: string) => boolean;
}

const ADDRESS = /^\/v\d+\.\d+\/(\d{1,40})(?:\/([a-z_]+))?$/;
/** Where the bytes of an upload are: an address of no version, that only the token opens. */
export const DOWNLOAD_PATH = '/attachments/';
/** Other things begin with the same digit, but are longer. */
const NUMBER_ID = /^1\d{14}$/;

/** Undefined for an address that is not the messaging side's. */
export function targetOf({ method, url, isMultipart, isNumber }: Addressed): MessagingTarget | undefined {
  const path = url.pathname;
  if (method === 'GET' && path === DOWNLOAD_PATH) {
    return { at: 'download', id: url.searchParams.get('mid') ?? '', method, path };
  }
  const [, id, edge = ''] = ADDRESS.exec(path) ?? [];
  if (id === undefined) return undefined;
  const to = (at: MessagingStep): MessagingTarget => ({ at, id, method, path });
  const isOfNumber = isNumber(id) || NUMBER_ID.test(id);
  switch (`${method} ${edge}`) {
    case 'POST messages':
      return to('send');
    case 'POST media':
      // Photo accounts make containers at the same address, without a file.
      return isMultipart || isOfNumber ? to('upload') : undefined;
    case 'GET message_templates':
      return to('templates');
    case 'GET whatsapp_business_profile':
    case 'POST whatsapp_business_profile':
      return to('profile');
    case 'POST register':
      return to('number');
    default:
      return ofObject(to(looksLikeChatappMedia(id) ? 'media' : 'number'), { edge, url, isOfNumber });
  }
}

/** A file or a number may be looked at, and a file may go; other objects are somebody else's. */
function ofObject(
  target: MessagingTarget,
  { edge, url, isOfNumber }: { edge: string; url: URL; isOfNumber: boolean },
): MessagingTarget | undefined {
  const { at, method } = target;
  if (edge !== '') return undefined;
  if (at === 'media') {
    if (method === 'DELETE') return { ...target, at: 'deleteMedia' };
    return method === 'GET' ? target : undefined;
  }
  const isNumber = isOfNumber || asksForNumber(url.searchParams.get('fields') ?? undefined);
  return method === 'GET' && isNumber ? target : undefined;
}

/** The target once the body is known: what is posted to `messages` is not always a message. */
export function settledTarget(target: MessagingTarget, values: JsonObject): MessagingTarget {
  const isAction = target.at === 'send' && (values['status'] !== undefined || values['sender_action'] !== undefined);
  return isAction ? { ...target, at: 'action' } : target;
}

/** What the call is about, right or wrong: enough for a script to find it by. */
export function subjectOf({ at, id }: MessagingTarget, values: JsonObject): MessagingSubject {
  const recipient = objectAt(values, 'recipient') ?? {};
  const to =
    textAt(values, 'to') ?? recipientKeys.map((key) => textAt(recipient, key)).find((each) => each !== undefined);
  return { account: id, to, type: typeOf(at, values) };
}

function typeOf(at: MessagingStep, values: JsonObject): string | undefined {
  if (at === 'upload') return textAt(values, 'type');
  if (at === 'action') return actionType(values);
  return at === 'send' ? messageType(values) : undefined;
}

export const recipientKeys = ['id', 'comment_id', 'post_id', 'user_ref'] as const;

/** A typing indicator comes with the mark of reading, and is more. */
export function actionType(values: JsonObject): string {
  if (objectAt(values, 'typing_indicator')) return 'typing';
  return textAt(values, 'sender_action') ?? 'read';
}

export function messageType(values: JsonObject): string {
  const message = objectAt(values, 'message');
  if (!message) return textAt(values, 'type') ?? 'text';
  const attachments: unknown = message['attachments'] ?? message['attachment'];
  const first: unknown = Array.isArray(attachments) ? attachments[0] : attachments;
  return textAt(objectAt({ first }, 'first') ?? {}, 'type') ?? 'text';
}

/** The kinds of usage limits, as the usage header names them. */
export const usageTypes: Readonly<Record<ChannelType, string>> = {
  chatapp: 'whatsapp',
  photoapp: 'instagram',
  pageapp: 'messenger',
};
