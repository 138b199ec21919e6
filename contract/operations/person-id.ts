/**
 * A person is named by a phone number, by an id of letters and digits for the business, or by the id for a Page or an
 * account. Numbers may be written as people write them; text that is copied from an address book has invisible characters.
 */
const DIGITS = /^\d+$/;
const WRITTEN_NUMBER = /^\+?[\d().\p{Pd}]+$/u;
const PERSON_ID = /^[\p{L}\p{N}][^\s\p{C}]*$/u;
export const MAX_PERSON_LENGTH = 256;
export const PERSON_EXPECTED =
  'must be a phone number, such as +1 555 123 0000, or the id of a person, as in the sender of an event';

/** Returns the digits of a phone number that is written with its plus sign, spaces, dashes or brackets. */
export function plainPerson(id: string): string {
  if (DIGITS.test(id)) return id;
  const written = id.replaceAll(/[\s\p{Cf}]/gu, '');
  const digits = WRITTEN_NUMBER.test(written) ? written.replaceAll(/\D/g, '') : '';
  return digits === '' ? id : digits;
}

export function isPerson(text: string): boolean {
  return text.length <= MAX_PERSON_LENGTH && PERSON_ID.test(plainPerson(text.trim()));
}

/** Of a chatapp person. Any other id is one for the business. */
export function isPhoneNumber(person: string): boolean {
  return DIGITS.test(plainPerson(person));
}
