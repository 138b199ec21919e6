import { isRecord } from '../../contract/containers/rules.ts';

/** Runs a check across fields also if single fields are invalid, so that one response lists all faults. */
export const besideOthers = { when: ({ value }: { readonly value: unknown }): boolean => isRecord(value) };
