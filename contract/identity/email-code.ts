/**
 * Codes by e-mail: what a registration may be for, and the bounds that make six digits enough. Five tries of a million
 * codes, in a window of some minutes, for a few dozen registrations an hour.
 */
export const registrationPurposes = ['agent', 'sign_in'] as const;
export type RegistrationPurpose = (typeof registrationPurposes)[number];

export const CODE_DIGITS = 6;
/** The wrong code that locks; the database holds the same number as a constraint. */
export const MAX_WRONG_CODES = 5;

/**
 * Wrong codes in any hour from browsers that are not known, over all registrations of an installation. A wrong code is
 * one guess among 10^6 values, of which at most 4 have been excluded before: it would have been right with a probability
 * of at most 1 / 999,996. Any 24 hours are 24 such hours with 24 × 40 = 960 guesses together, so that the probability
 * that any account's code is guessed within a day is at most 960 / 999,996 < 0.00097, below one in a thousand.
 */
export const DEFAULT_WRONG_CODES_PER_HOUR = 40;

/**
 * As many askers' shares as all that an address does not know have together, and as many again those that it knows:
 * what bounds the mail that an address is sent, from however many places it is asked for.
 */
export const ASKERS_PER_ADDRESS = 4;

export const codePattern = new RegExp(`^\\d{${CODE_DIGITS}}$`);

/** How a registration ends before its window does. */
export type RegistrationEnd = 'completed' | 'locked';

/** Input of the workflow that owns a registration's window. The address and the code stay in the database. */
export interface EmailCodeInput {
  /** The row of the registration. */
  readonly registrationId: number;
  readonly windowMs: number;
}
