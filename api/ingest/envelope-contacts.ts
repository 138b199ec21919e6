import { contactsMember } from './envelope-frame.ts';
import type { Level } from './envelope-frame.ts';
import type { FoundItem } from './envelope-items.ts';
import { ABSENT, child, elementsOf, idText, valueOfKey } from '../../contract/envelope/json-node.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

/** `idKeys` are the members of a contact that hold its ids. */
export function ownContacts(json: JsonTape, item: FoundItem, idKeys: readonly string[]): Uint8Array | undefined {
  const { level, node, contactKeys, isSole } = item;
  if (level.contacts === ABSENT) return undefined;
  if (isSole) {
    const all = elementsOf(json, valueOfKey(level.contacts));
    if (all.length === 1) return contactsMember(json, level.contacts, all);
  }
  const own = new Set<number>();
  for (const key of contactKeys) {
    const id = idText(json, child(json, node, key));
    for (const contact of contactsById(json, level, idKeys).get(id ?? '') ?? []) own.add(contact);
  }
  return own.size === 0
    ? undefined
    : contactsMember(
        json,
        level.contacts,
        [...own].sort((a, b) => a - b),
      );
}

function contactsById(json: JsonTape, level: Level, idKeys: readonly string[]): ReadonlyMap<string, readonly number[]> {
  if (level.contactsById !== undefined) return level.contactsById;
  const byId = new Map<string, number[]>();
  for (const contact of elementsOf(json, valueOfKey(level.contacts))) {
    for (const key of idKeys) {
      const id = idText(json, child(json, contact, key));
      if (id === null) continue;
      const known = byId.get(id);
      if (known === undefined) byId.set(id, [contact]);
      else known.push(contact);
    }
  }
  level.contactsById = byId;
  return byId;
}
