import { hash, randomBytes, randomInt } from 'node:crypto';
import type { ChannelType } from '../../contract/event-types.ts';

export function newMessageId(product: ChannelType): string {
  switch (product) {
    case 'chatapp':
      return `wamid.${randomBytes(33).toString('base64')}`;
    case 'photoapp':
      return `aWdfZAG1faXRlbToxOk${randomBytes(48).toString('base64url')}`;
    case 'pageapp':
      return `m_${randomBytes(48).toString('base64url')}`;
  }
}

/** A person who has a username may have no number. */
export function isBusinessScopedId(person: string): boolean {
  return /^[A-Z]{2}\.[A-Za-z0-9.]+$/.test(person);
}

/** The members that name a person: a number and an id, or only the id. */
export function personMembers(person: string, names: { readonly number: string; readonly userId: string }) {
  if (isBusinessScopedId(person)) return { [names.userId]: person };
  return { [names.number]: person, [names.userId]: businessScopedId(person) };
}

/** The id of a person at the businesses of one owner, which the platform sends beside the phone number. */
export function businessScopedId(waId: string): string {
  return `US.${BigInt(`0x${hash('sha256', waId).slice(0, 16)}`)}`;
}

export function newNumericId(): string {
  return `1${randomInt(1e8).toString().padStart(8, '0')}${randomInt(1e8).toString().padStart(8, '0')}`;
}
