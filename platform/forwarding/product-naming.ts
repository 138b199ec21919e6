import { isKey, keysOf, valueOfKey } from '../../contract/envelope/json-node.ts';
import { jsonKind, type JsonTape } from '../../contract/envelope/json-tape.ts';
import { decodeJsonString } from '../../contract/envelope/json-text.ts';
import { chatappWordField, neutralChatappWord } from '../client/chatapp-word.ts';

/** All other bytes stay the same. */
export function replaceWordInJson({ bytes, cells }: JsonTape, word: string): Buffer {
  const json = { bytes, cells };
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const key of keysOf(json, 0)) {
    const value = valueOfKey(key);
    if (!isKey(json, key, chatappWordField) || !isNeutral(json, value)) continue;
    parts.push(bytes.subarray(from, cells[value + 1]), Buffer.from(JSON.stringify(word)));
    from = cells[value + 2]!;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

function isNeutral({ bytes, cells }: JsonTape, node: number): boolean {
  if (cells[node] !== jsonKind.string) return false;
  return decodeJsonString(bytes, cells[node + 1]! + 1, cells[node + 2]! - 1) === neutralChatappWord;
}

const NEUTRAL_FIELD = new RegExp(`(?<=(?:^|&)${chatappWordField}=)${neutralChatappWord}(?=&|$)`, 'g');

/** Replaces the word only in its plain, unencoded spelling. */
export function replaceWordInForm(form: Buffer, word: string): Buffer {
  return Buffer.from(
    form.toString('latin1').replace(NEUTRAL_FIELD, () => encodeURIComponent(word)),
    'latin1',
  );
}
