/**
 * Characters on which a terminal acts, or that are invisible, change the direction of a line or end it. Names and events
 * come from others.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const UNSAFE_IN_BLOCK =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function escapeCharacter(character: string): string {
  const number = character.charCodeAt(0);
  return number < 0x100 ? `\\x${number.toString(16).padStart(2, '0')}` : `\\u${number.toString(16).padStart(4, '0')}`;
}

export function safeLine(text: string): string {
  return text.replace(/\r?\n/g, '⏎').replace(UNSAFE, escapeCharacter);
}

export function safeBlock(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE_IN_BLOCK, escapeCharacter);
}

export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value ?? null, null, indent);
  return text.replace(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
