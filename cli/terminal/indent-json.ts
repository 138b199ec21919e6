import { layOutJson } from '../../client/json-text.ts';

/** JSON laid out for reading, its tokens as they are; text that is no JSON stays as it is. */
export function indentJson(text: string): string {
  const parts = layOutJson(text);
  return parts ? parts.map((part) => part.text).join('') : text;
}
