/**
 * What a receiver should know before it answers. `echo`: the business itself wrote, reacted, called or commented.
 * `unsend`: the message was deleted, and should not be shown any more.
 */
export const eventFlags = ['echo', 'unsend'] as const;
export type EventFlag = (typeof eventFlags)[number];

/** Missing without flags. */
export const eventFlagsHeader = 'x-service-event-flags';

/** The value of the header, or null without flags. Always in the same order. */
export function eventFlagsText(flags: Readonly<Partial<Record<EventFlag, boolean>>>): string | null {
  const text = eventFlags.filter((flag) => flags[flag] === true).join(',');
  return text === '' ? null : text;
}
