import { isRecord } from '../../contract/containers/rules.ts';

/** Runs cross-field checks even if single fields are invalid, so that one response lists all problems. */
export const evenIfFieldsFail = { when: ({ value }: { readonly value: unknown }): boolean => isRecord(value) };
