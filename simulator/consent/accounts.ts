import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import { faultFields } from '../scripted-api/fault.ts';
import { takeFirst } from '../scripted-api/script.ts';

const chatappNumbers = [
  { id: '100000000000011', businessId: '400000000000001', number: '+1 555 010 0011', name: 'Sunrise Bakery' },
  { id: '100000000000012', businessId: '400000000000001', number: '+1 555 010 0012', name: 'Sunrise Bakery orders' },
  { id: '100000000000001', businessId: '400000000000002', number: '+1 555 010 0001', name: 'Demo number' },
];
const pages = [
  { id: '300000000000011', name: 'Harbour Books', photo: { id: '200000000000011', username: 'harbour.books' } },
  { id: '300000000000012', name: 'Garden Café', photo: { id: '200000000000012', username: 'garden.cafe' } },
  { id: '300000000000013', name: 'Town Choir' },
];

export interface SimulatedAccount {
  readonly id: string;
  readonly name: string;
}

/** Fields of a number that replace the usual ones, in the platform's words. */
export interface NumberFacts {
  readonly quality?: string | undefined;
  readonly tier?: string | undefined;
  readonly status?: string | undefined;
  readonly nameStatus?: string | undefined;
  readonly throughput?: string | undefined;
}

export interface PhoneNumber extends SimulatedAccount {
  readonly businessId: string;
  readonly number: string;
  readonly facts?: NumberFacts | undefined;
}

export interface SimulatedPage extends SimulatedAccount {
  readonly photo?: { readonly id: string; readonly username: string } | undefined;
}

const id = z.string().regex(/^\d{1,40}$/);

const operations = ['code', 'exchange', 'accounts', 'subscribe'] as const;
export type ConsentOperation = (typeof operations)[number];

const word = z.string().max(60);
const facts = z.strictObject({
  quality: word.optional(),
  tier: word.optional(),
  status: word.optional(),
  nameStatus: word.optional(),
  throughput: word.optional(),
});

/** The body of `POST /control/consent`. Omitted fields keep their value. */
export const consentControl = z.strictObject({
  numbers: z
    .array(z.strictObject({ id, businessId: id, number: z.string(), name: z.string(), facts: facts.optional() }))
    .optional(),
  /** Facts by number id, also of numbers that are not listed. Replaces the earlier ones. */
  numberFacts: z.record(id, facts).optional(),
  /** Permissions that every token has. Null: those that the consent asked for. */
  scopes: z.array(z.string().max(200)).max(100).nullish(),
  pages: z
    .array(z.strictObject({ id, name: z.string(), photo: z.strictObject({ id, username: z.string() }).optional() }))
    .optional(),
  /** Null removes the fault. */
  fault: z
    .strictObject({
      at: z.enum(operations),
      status: z.int().min(400).max(599).optional(),
      expired: z.boolean().optional(),
      delayMs: faultFields.delayMs,
      times: faultFields.times,
    })
    .nullish(),
});
export type ConsentControl = z.output<typeof consentControl>;
export type ConsentFault = NonNullable<ConsentControl['fault']>;

export interface Accounts {
  numbers(): readonly PhoneNumber[];
  factsOf(id: string): NumberFacts;
  scopes(): readonly string[] | null;
  pages(): readonly SimulatedPage[];
  offered(type: ChannelType): readonly SimulatedAccount[];
  takeFault(operation: ConsentOperation): ConsentFault | undefined;
  control(change: ConsentControl): void;
  reset(): void;
}

interface AccountState {
  readonly numbers: readonly PhoneNumber[];
  readonly pages: readonly SimulatedPage[];
  readonly numberFacts: Readonly<Record<string, NumberFacts>>;
  readonly scopes: readonly string[] | null;
}

export function createAccounts(): Accounts {
  const initial: AccountState = { numbers: chatappNumbers, pages, numberFacts: {}, scopes: null };
  let state = initial;
  let faults: readonly ConsentFault[] = [];

  return {
    numbers: () => state.numbers,
    factsOf: (id) => ({ ...state.numbers.find((each) => each.id === id)?.facts, ...state.numberFacts[id] }),
    scopes: () => state.scopes,
    pages: () => state.pages,
    offered(type) {
      if (type === 'chatapp')
        return state.numbers.map((each) => ({ id: each.id, name: `${each.name} ${each.number}` }));
      if (type === 'pageapp') return state.pages;
      return state.pages.flatMap(({ photo }) => (photo ? [{ id: photo.id, name: photo.username }] : []));
    },
    takeFault(operation) {
      const { taken, left } = takeFirst(faults, ({ at }) => at === operation);
      faults = left;
      return taken;
    },
    control(change) {
      state = {
        numbers: change.numbers ?? state.numbers,
        pages: change.pages ?? state.pages,
        numberFacts: change.numberFacts ?? state.numberFacts,
        scopes: change.scopes === undefined ? state.scopes : change.scopes,
      };
      if (change.fault !== undefined) faults = change.fault === null ? [] : [change.fault];
    },
    reset() {
      state = initial;
      faults = [];
    },
  };
}
