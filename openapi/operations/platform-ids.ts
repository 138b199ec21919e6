import type { PlatformIdParameter } from '../definitions/route-definition.ts';

/** Posts, comments and media. Excludes reserved words such as `me`. */
export const objectIdPattern = /^\d{1,40}(?:_\d{1,40}){0,2}$/;

export function objectIdParameter(description: string): PlatformIdParameter {
  return { kind: 'platformId', pattern: objectIdPattern, description };
}

/** Requires a digit, which excludes reserved words. */
export const conversationIdPattern = /^(?=.*\d)[A-Za-z0-9_=:-]{1,256}$/;

/** Allows more characters, because these ids are sent only in bodies. */
export const messageIdPattern = /^[A-Za-z0-9_.:=+/$-]{1,256}$/;
