import { isRecord } from '../../contract/containers/rules.ts';

/**
 * For a check over several fields of an object: it is made also where one of them is wrong by itself, so that a refusal
 * names all at once. What it looks at may then have any type.
 */
export const besideOthers = { when: ({ value }: { readonly value: unknown }): boolean => isRecord(value) };
