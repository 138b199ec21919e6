import type { ApiCall } from '../scripted-api/api.ts';
import { invalidParameter, missingObject } from '../scripted-api/refusals.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import type { ContentScript, ContentTypes } from './control.ts';
import type { AccountObject, ContentKind, ContentObject, ContentStore } from './objects/store.ts';

export interface ContentState {
  readonly store: ContentStore;
  readonly script: ContentScript;
  readonly nowMs: () => number;
  /** Sends a webhook. */
  readonly report: (item: WebhookItem) => void;
}

/** A write, with the object of its address. */
export interface Write extends Omit<ContentState, 'nowMs'> {
  readonly nowMs: number;
  readonly call: ApiCall<ContentTypes>;
  readonly object: ContentObject;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the object as it is after the delay of a call. */
export function objectOf<K extends ContentKind>({ store, object, call }: Write, kind: K) {
  const found = store.get(kind, object.id);
  if (!found) throw missingObject(call.target.id);
  return found;
}

export function accountOf({ store, object }: Write): AccountObject {
  const account = store.get('account', object.accountId);
  if (!account) throw missingObject(object.accountId);
  return account;
}

export function requiredText({ parameters }: Write, name: string): string {
  const text = parameters.get(name) ?? '';
  if (text.trim() === '') throw invalidParameter(`The parameter ${name} is required`);
  return text;
}

export function requiredFlag({ parameters }: Write, name: string): boolean {
  const text = parameters.get(name)?.toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw invalidParameter(`Param ${name} must be a boolean`);
}
