import { objectAt, textAt } from '../scripted-api/parameters.ts';
import type { ApiTypes, ReadCall, Target } from '../scripted-api/api.ts';
import type { Subject } from '../scripted-api/script.ts';
import type { JsonObject } from '../webhooks/item.ts';
import type { MessagingFault } from './control.ts';

export interface MessagingTypes extends ApiTypes {
  readonly target: MessagingTarget;
  readonly subject: MessagingSubject;
  readonly fault: MessagingFault;
}

export interface MessagingTarget extends Target {
  readonly account: string;
}

interface MessagingSubject extends Subject {
  readonly account: string;
  readonly to: string | undefined;
  readonly type: string | undefined;
}

export const recipientKeys = ['id', 'comment_id', 'post_id', 'user_ref'] as const;

export function subjectOf({ at, target, parameters: { values } }: ReadCall<MessagingTypes>): MessagingSubject {
  const recipient = objectAt(values, 'recipient') ?? {};
  const to =
    textAt(values, 'to') ?? recipientKeys.map((key) => textAt(recipient, key)).find((text) => text !== undefined);
  return { account: target.account, to, type: typeOf(at, values) };
}

function typeOf(at: MessagingFault['at'], values: JsonObject): string | undefined {
  if (at === 'upload') return textAt(values, 'type');
  if (at === 'action') return actionType(values);
  return at === 'send' ? messageType(values) : undefined;
}

export function isAction(values: JsonObject): boolean {
  return values['status'] !== undefined || values['sender_action'] !== undefined;
}

/** A typing indicator comes with a read mark and takes precedence. */
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
