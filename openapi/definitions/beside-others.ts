import { isRecord } from '../../contract/containers/rules.ts';

/**
 * Options for a check across fields. The check also runs if single fields are invalid, so that one response lists all
 * faults. Values may therefore have any type.
 */
export const besideOthers = { when: ({ value }: { readonly value: unknown }): boolean => isRecord(value) };
