import { createHash } from 'node:crypto';
import { isRecord } from '../../contract/containers/rules.ts';

/** The platform's format has `to`, or `recipient` with an id. */
export function recipientOf(content: object | null): string | null {
  if (!isRecord(content)) return null;
  const { to, recipient } = content;
  const id = to ?? (isRecord(recipient) ? recipient['id'] : null);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** Returns the digits of a phone number that is written with its plus sign, spaces or brackets, as the platform does. */
export function plainPerson(id: string): string {
  const isNumber = /^\+?[\d\s().-]+$/.test(id);
  return isNumber ? id.replaceAll(/\D/g, '') : id;
}

export function hashRecipient(recipient: string): Buffer {
  return createHash('sha256').update(plainPerson(recipient)).digest();
}
