/**
 * Sanitizes an untrusted name for an email: it cannot pass for an address, become a link, be called or start a line.
 * Removes dots, because mail programs turn `example.com` into a link. With more digits than a year has, removes all words
 * with digits: a phone number has many spellings. Returns '' if no letter is left.
 */
export function plainName(text: string): string {
  const words = text
    .slice(0, MAX_INPUT_LENGTH)
    .normalize('NFKC')
    .replace(notOfNames, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && !linkWord.test(word));
  const digitCount = words.join('').replace(/\D/g, '').length;
  const kept = digitCount > MAX_DIGITS ? words.filter((word) => !/\d/.test(word)) : words;
  const name = Array.from(kept.join(' ')).slice(0, MAX_NAME_LENGTH).join('').trim();
  return /\p{L}/u.test(name) ? name : '';
}

const MAX_INPUT_LENGTH = 400;
/** Enough to recognize an organization, too short for a message. */
const MAX_NAME_LENGTH = 40;
const MAX_DIGITS = 4;
const notOfNames = /[^\p{L}\p{M}0-9 '&,+-]|[\ua4f8-\ua4fd]/gu;
const linkWord = /^(?:https?|ftp|mailto|tel|www\d?)$/iu;
