/**
 * Sanitizes an untrusted name for an email: it cannot pass for an address, become a link or start a line. Removes dots,
 * because mail programs turn `example.com` into a link. Returns '' if no letter is left.
 */
export function plainName(text: string): string {
  const words = text
    .slice(0, MAX_INPUT_LENGTH)
    .normalize('NFKC')
    .replace(notOfNames, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && !linkWord.test(word) && !longNumber.test(word));
  const name = Array.from(words.join(' ')).slice(0, MAX_NAME_LENGTH).join('').trim();
  return /\p{L}/u.test(name) ? name : '';
}

const MAX_INPUT_LENGTH = 400;
/** Enough to recognize an organization, too short for a message. */
const MAX_NAME_LENGTH = 40;
const notOfNames = /[^\p{L}\p{M}0-9 '&,+-]|[\ua4f8-\ua4fd]/gu;
const linkWord = /^(?:https?|ftp|mailto|tel|www\d?)$/iu;
const longNumber = /\d{5}|^[+\d-]{5,}$/u;
