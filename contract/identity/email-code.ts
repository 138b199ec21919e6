export const registrationPurposes = ['agent', 'sign_in'] as const;
export type RegistrationPurpose = (typeof registrationPurposes)[number];

export const CODE_DIGITS = 6;
export const CODE_WINDOW_MS = 600_000;
/** This many wrong codes lock the registration. A constraint has the same number. */
export const MAX_WRONG_CODES = 5;

/**
 * Counts unknown browsers of the whole installation. A guess is correct with a probability of at most
 * 1/999,996, so 24 × 40 = 960 guesses a day succeed with a probability below one in a thousand.
 */
export const DEFAULT_WRONG_CODES_PER_HOUR = 40;

/**
 * All unknown requesters of an address together get this many times the limit of one requester. Known requesters
 * together get the same amount, counted separately.
 */
export const REQUESTERS_PER_ADDRESS = 4;

export const codePattern = new RegExp(`^\\d{${CODE_DIGITS}}$`);

export type RegistrationEnd = 'completed' | 'locked';

export interface EmailCodeInput {
  readonly registrationId: number;
  readonly windowMs: number;
}
