import type { ContentView } from './objects/photoapp-nodes.ts';
import { invalidParameter, missingObject } from '../scripted-api/refusals.ts';
import type { WebhookItem } from '../webhooks/item.ts';
import type { ContentScript } from './script.ts';
import type { AccountObject, Author, ContentKind, ContentObject } from './objects/store.ts';

export interface EffectCall {
  readonly view: ContentView;
  readonly script: ContentScript;
  readonly id: string;
  readonly object: ContentObject;
  readonly parameters: ReadonlyMap<string, string>;
  readonly origin: string;
  readonly upload: { readonly fileUrl: string | undefined; readonly byteCount: number };
  readonly report: (item: WebhookItem) => void;
}

export function objectOf<K extends ContentKind>({ view, object, id }: EffectCall, kind: K) {
  const found = view.store.get(kind, object.id);
  if (!found) throw missingObject(id);
  return found;
}

export function accountOf({ view, object }: EffectCall): AccountObject {
  const account = view.store.get('account', object.accountId);
  if (!account) throw missingObject(object.accountId);
  return account;
}

export function authorOf({ id, product, name, username }: AccountObject): Author {
  return { id, name: product === 'photoapp' ? (username ?? name) : name };
}

export function requiredText({ parameters }: EffectCall, name: string): string {
  const text = parameters.get(name) ?? '';
  if (text.trim() === '') throw invalidParameter(`The parameter ${name} is required`);
  return text;
}

export function requiredFlag({ parameters }: EffectCall, name: string): boolean {
  const text = parameters.get(name)?.toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw invalidParameter(`Param ${name} must be a boolean`);
}
