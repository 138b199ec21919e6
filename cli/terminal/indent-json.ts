import { formatJson } from '../../client/json-text.ts';

export function indentJson(text: string): string {
  const parts = formatJson(text);
  return parts ? parts.map((part) => part.text).join('') : text;
}
