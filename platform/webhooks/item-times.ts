import type { ItemSource } from '../../contract/envelope/vocabulary.ts';
import { child, idText } from '../../contract/envelope/json-node.ts';
import { feedReactionItems } from './wire.ts';

export function hasTimestamp({ json, node }: ItemSource): boolean {
  return idText(json, child(json, node, 'timestamp')) !== null;
}

/**
 * Whether a value tells when its change happened. `created_time` is the time of the object, so it does only if the object
 * was created. A reaction may be taken back and given again within its second.
 */
export function isTimedChange(source: ItemSource): boolean {
  return hasTimestamp(source) || isCreation(source);
}

export function isCreation({ json, node }: ItemSource): boolean {
  if (idText(json, child(json, node, 'created_time')) === null) return false;
  const verb = idText(json, child(json, node, 'verb'));
  const item = idText(json, child(json, node, 'item'));
  return (verb === null || verb === 'add') && !(item !== null && feedReactionItems.includes(item));
}
