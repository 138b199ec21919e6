import { createHash } from 'node:crypto';
import { isRecord } from '../../contract/containers/rules.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';

/** The platform's format has `to`, or `recipient` with an id. */
export function recipientOf(content: object | null): string | null {
  if (!isRecord(content)) return null;
  const { to, recipient } = content;
  const id = to ?? (isRecord(recipient) ? recipient['id'] : null);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

export function hashRecipient(recipient: string): Buffer {
  return createHash('sha256').update(plainPerson(recipient)).digest();
}
