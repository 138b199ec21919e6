import { createHash } from 'node:crypto';
import { isJsonObject } from '../../contract/is-json-object.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';

/**
 * Returns the ids under which a message names its recipient. The platform's format has `to`, `recipient` with a user id,
 * or both, or `recipient` with the id or the reference of a person.
 */
export function recipientsOf(content: object | null): readonly string[] {
  if (!isJsonObject(content)) return [];
  const { to, recipient } = content;
  const others = isJsonObject(recipient) ? [recipient['id'], recipient['user_ref']] : [recipient];
  return [to, ...others].flatMap((id) => (typeof id === 'string' || typeof id === 'number' ? String(id) : []));
}

export function hashRecipient(recipient: string): Buffer {
  return createHash('sha256').update(plainPerson(recipient)).digest();
}
