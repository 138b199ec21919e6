import type { PlatformIdParameter } from '../definitions/route-definition.ts';

/** The forms of the platform's own ids, as far as a request may name them. */

/** Posts, comments, media: digits, in parts. No word of the platform's, such as the one for oneself, has this form. */
export const objectIdPattern = /^\d{1,40}(?:_\d{1,40}){0,2}$/;

/** Returns a path parameter with such an id. */
export function objectIdParameter(description: string): PlatformIdParameter {
  return { kind: 'platformId', pattern: objectIdPattern, description };
}

/** Conversations: letters too, and at least one digit, which keeps them apart from the platform's words. */
export const conversationIdPattern = /^(?=.*\d)[A-Za-z0-9_=:-]{1,256}$/;

/** Messages: sent within bodies only, where no character of them means anything. */
export const messageIdPattern = /^[A-Za-z0-9_.:=+/$-]{1,256}$/;

/** A phone number in international digits, or a user as the account knows them. */
export const recipientPattern = /^\d{1,40}$/;
