/**
 * Characters that make a terminal do something else than show a letter: control characters, and marks that turn the
 * direction of a line around or end it.
 */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const UNSAFE_IN_BLOCK = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function shown(character: string): string {
  const number = character.charCodeAt(0);
  return number < 0x100 ? `\\x${number.toString(16).padStart(2, '0')}` : `\\u${number.toString(16).padStart(4, '0')}`;
}

/** The text on one line, with what would act on the terminal made visible. */
export function safeLine(text: string): string {
  return text.replace(/\r?\n/g, '⏎').replace(UNSAFE, shown);
}

/** The same for text of several lines, whose line breaks and tabs stay. */
export function safeBlock(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE_IN_BLOCK, shown);
}

/** JSON means the same with these characters escaped, and a terminal is left alone by it. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value ?? null, null, indent);
  return text.replace(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
