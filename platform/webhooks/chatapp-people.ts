/**
 * Finds the person of a chatapp item. An item may name the same person by a phone number, by an id for the business and
 * by an id for its parent business; a person with a username has no number. The number comes first, because older items
 * have nothing else.
 */
import type { ItemPlace, PeopleVocabulary } from '../../contract/envelope/vocabulary.ts';
import { child, idText, isObject } from '../../contract/envelope/json-node.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';
import { plainPerson } from '../../contract/operations/person-id.ts';
import { businessDirection, echoList, groupRecipient, threadList } from './wire.ts';

const senderKeys = ['from', 'from_user_id', 'from_parent_user_id'];
const receiverKeys = ['to', 'to_user_id', 'to_parent_user_id'];
const participantKeys = [
  'recipient_participant_id',
  'recipient_participant_user_id',
  'recipient_participant_parent_user_id',
  'parent_recipient_participant_user_id',
];
const otherKeys = [
  ...['recipient_id', 'wa_id', 'recipient_user_id', 'user_id'],
  ...['recipient_parent_user_id', 'parent_recipient_user_id', 'parent_user_id', 'input'],
];
const contactKeys = ['wa_id', 'user_id', 'parent_user_id'];
const describedKeys = ['phone_number', ...contactKeys];
/** An item that has one of these names its person in it, for example an entry of the address book. */
const describingMembers = ['contact', 'sender'];

export const chatappPeople: PeopleVocabulary = {
  contactsKey: 'contacts',
  idsOfContact: (json, contact) => idsAt(json, contact, contactKeys),
  idsOfListed: (list, item) => (list === threadList ? idsOfThread(item) : idsOfItem(list, item)),
  idsOfChange: ({ json, node }) => idsOfDescribed(json, node),
};

function idsOfItem(list: string, item: ItemPlace): readonly string[] {
  const { json, node } = item;
  const isBusiness = isFromBusiness(list, item);
  const party = idsAt(json, node, isBusiness ? receiverKeys : senderKeys);
  // After a change of the number or id, a message of the system has both.
  if (party.length > 0) return distinct([...party, ...idsAt(json, child(json, node, 'system'), contactKeys)]);
  const participant = idsAt(json, node, participantKeys);
  if (participant.length > 0) return participant;
  // A status of a message to a group may name the group only.
  if (idText(json, child(json, node, 'recipient_type')) === groupRecipient) return [];
  const named = distinct([...idsAt(json, node, otherKeys), ...idsOfDescribed(json, node)]);
  return named.length > 0 || isBusiness ? named : idsAt(json, node, receiverKeys);
}

/** The business writes from its phone, or calls. */
export function isFromBusiness(list: string, { json, node, value }: ItemPlace): boolean {
  if (list === echoList || idText(json, child(json, node, 'direction')) === businessDirection) return true;
  const from = idText(json, child(json, node, 'from'));
  if (from === null) return false;
  const business = idText(json, child(json, child(json, value, 'metadata'), 'display_phone_number'));
  return business !== null && plainPerson(business) === plainPerson(from);
}

/** The id of a thread is the other party of its messages. */
function idsOfThread({ json, node }: ItemPlace): readonly string[] {
  const described = idsAt(json, child(json, node, 'context'), describedKeys);
  return distinct([...idsAt(json, node, ['id', ...contactKeys]), ...described]);
}

function idsOfDescribed(json: JsonTape, node: number): readonly string[] {
  return distinct(describingMembers.flatMap((member) => idsAt(json, child(json, node, member), describedKeys)));
}

/** An id that has changed is an object with the ids before and after. */
function idsAt(json: JsonTape, node: number, keys: readonly string[]): readonly string[] {
  const ids = keys.flatMap((key) => {
    const at = child(json, node, key);
    if (!isObject(json, at)) return idText(json, at) ?? [];
    return ['current', 'previous'].flatMap((member) => idText(json, child(json, at, member)) ?? []);
  });
  return distinct(ids);
}

function distinct(ids: readonly string[]): readonly string[] {
  return ids.length < 2 ? ids.map(plainPerson) : [...new Set(ids.map(plainPerson))];
}
