import { createHash } from 'node:crypto';
import { isRecord } from '../../contract/containers/rules.ts';

/** The platform's format has `to`, or `recipient` with an id. */
export function recipientOf(content: object | null): string | null {
  if (!isRecord(content)) return null;
  const { to, recipient } = content;
  const id = to ?? (isRecord(recipient) ? recipient['id'] : null);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** The same for each way to write a phone number, with or without its plus sign and spaces. */
export function hashRecipient(recipient: string): Buffer {
  const isNumber = /^\+?[\d\s().-]+$/.test(recipient);
  return createHash('sha256')
    .update(isNumber ? recipient.replaceAll(/\D/g, '') : recipient)
    .digest();
}
