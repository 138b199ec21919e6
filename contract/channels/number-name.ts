import { plainPerson } from '../operations/person-id.ts';

export const SEPARATOR = ' · ';

export interface NamedNumber {
  readonly name: string | null | undefined;
  readonly phoneNumber: string | null | undefined;
}

/** Returns the display name of a chatapp channel, the only place that keeps its phone number. */
export function numberName({ name, phoneNumber }: NamedNumber): string {
  return [name, phoneNumber].filter(Boolean).join(SEPARATOR);
}

/** Returns the digits of the phone number in a display name. */
export function numberOfName(displayName: string): string {
  return plainPerson(displayName.split(SEPARATOR).at(-1) ?? '');
}
