import { contactsMember } from './envelope-frame.ts';
import type { KnownContacts, Level } from './envelope-frame.ts';
import type { PeopleVocabulary } from '../../contract/envelope/vocabulary.ts';
import { ABSENT, elementsOf, valueOfKey } from '../../contract/envelope/json-node.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';

/** The person of an item, and the contacts that describe the person, in their order. */
export interface ItemPerson {
  readonly personIds: readonly string[];
  readonly contacts: readonly number[];
}

export interface NamedPerson {
  /** The level that has the contacts. */
  readonly level: Level;
  /** As the item names the person. */
  readonly ids: readonly string[];
  /** A sole contact belongs to a sole item, regardless of the contact's id. */
  readonly isSole: boolean;
}

/** A person without a number may be named by the contact only. A contact may add ids to those of the item. */
export function findPerson(
  json: JsonTape,
  people: PeopleVocabulary | undefined,
  { level, ids, isSole }: NamedPerson,
): ItemPerson {
  if (people === undefined || level.contacts === ABSENT) return { personIds: ids, contacts: [] };
  const known = (level.knownContacts ??= readContacts(json, level, people));
  const contacts = known.all.length === 1 && (isSole || ids.length === 0) ? known.all : matching(known, ids);
  if (contacts.length === 0) return { personIds: ids, contacts };
  const described = contacts.flatMap((contact) => known.idsOf.get(contact) ?? []);
  return { personIds: [...new Set([...ids, ...described])], contacts };
}

function readContacts(json: JsonTape, level: Level, people: PeopleVocabulary): KnownContacts {
  const all = elementsOf(json, valueOfKey(level.contacts));
  const byId = new Map<string, number[]>();
  const idsOf = new Map<number, readonly string[]>();
  for (const contact of all) {
    const ids = people.idsOfContact(json, contact);
    idsOf.set(contact, ids);
    for (const id of ids) {
      const known = byId.get(id);
      if (known === undefined) byId.set(id, [contact]);
      else known.push(contact);
    }
  }
  return { all, byId, idsOf };
}

function matching({ byId }: KnownContacts, ids: readonly string[]): readonly number[] {
  const own = new Set(ids.flatMap((id) => byId.get(id) ?? []));
  return [...own].sort((a, b) => a - b);
}

/** Returns the member with only these contacts. */
export function ownContacts(json: JsonTape, level: Level, contacts: readonly number[]): Uint8Array | undefined {
  for (let at: Level | null = level; at !== null; at = at.parent) {
    if (at.contacts !== ABSENT) return contacts.length === 0 ? undefined : contactsMember(json, at.contacts, contacts);
  }
  return undefined;
}
