import type { PlatformIdParameter } from '../definitions/route-definition.ts';

/** Posts, comments and media. Excludes reserved words such as `me`. */
export const objectIdPattern = /^\d{1,40}(?:_\d{1,40}){0,2}$/;

export const OBJECT_ID = 'must be an id of the platform: digits, or up to three groups of digits with underscores';

export function objectIdParameter(description: string): PlatformIdParameter {
  return { kind: 'platformId', pattern: objectIdPattern, expected: OBJECT_ID, description };
}

/** Requires a digit, which excludes reserved words. */
export const conversationIdPattern = /^(?=.*\d)[A-Za-z0-9_=:-]{1,256}$/;

export const CONVERSATION_ID = 'must be the id of a conversation, as a list of conversations returns it';

/** Allows more characters, because these ids are sent only in bodies. */
export const messageIdPattern = /^[A-Za-z0-9_.:=+/$-]{1,256}$/;

export const MESSAGE_ID = 'must be the id of a message, as its event has it, with at most 256 characters';
