/**
 * A name that strangers have chosen, as a mail may show it: nothing in it can be taken for an address, be clicked, or
 * write lines of its own. Letters of every script stay, with digits and what names are commonly written with. Dots and
 * what looks like them go, because mail programs turn `example.com` into a link by themselves.
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

/** Bounds the work; stored names are shorter. */
const MAX_INPUT_LENGTH = 400;
/** Enough to recognise an organization, too little for a message. */
const MAX_NAME_LENGTH = 40;
/** Letters and their marks, digits of the usual form, spaces and the punctuation of names; some letters look like dots. */
const notOfNames = /[^\p{L}\p{M}0-9 '&,+-]|[\ua4f8-\ua4fd]/gu;
const linkWord = /^(?:https?|ftp|mailto|tel|www\d?)$/iu;
/** Telephone numbers; a year may be part of a name. */
const longNumber = /\d{5}|^[+\d-]{5,}$/u;
