export const registrationPurposes = ['agent', 'sign_in'] as const;
export type RegistrationPurpose = (typeof registrationPurposes)[number];

export const CODE_DIGITS = 6;
/** The registration locks at this wrong code. A constraint in the database has the same number. */
export const MAX_WRONG_CODES = 5;

/**
 * Wrong codes per hour from unknown browsers, over all registrations of an installation. A guess is right with a
 * probability of at most 1 / 999,996, because at most 4 of 10^6 values have been excluded. 24 × 40 = 960 guesses a day
 * keep the probability that any code is guessed within a day below one in a thousand.
 */
export const DEFAULT_WRONG_CODES_PER_HOUR = 40;

/**
 * Bounds the mail to one address, from any number of requesters: unknown requesters share this many times the limit of
 * one requester, and known requesters share as much again.
 */
export const ASKERS_PER_ADDRESS = 4;

export const codePattern = new RegExp(`^\\d{${CODE_DIGITS}}$`);

export type RegistrationEnd = 'completed' | 'locked';

/** The address and the code stay in the database. */
export interface EmailCodeInput {
  readonly registrationId: number;
  readonly windowMs: number;
}
