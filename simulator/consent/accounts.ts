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
  /** `VERIFIED`, unless given. A number that is not verified can't be registered. */
  readonly codeStatus?: string | undefined;
  readonly platformType?: string | undefined;
  /** Whether the number is used in the business app, too. */
  readonly isOnApp?: boolean | undefined;
  /** The number's two-step verification. Any PIN registers a number that has none. */
  readonly pin?: string | undefined;
}

/** Whose account it is: a business lists its own and those of its clients. */
export interface Owned {
  readonly ownerId?: string | undefined;
  readonly relation?: 'owned' | 'client' | undefined;
}

export interface PhoneNumber extends SimulatedAccount, Owned {
  readonly businessId: string;
  readonly number: string;
  readonly facts?: NumberFacts | undefined;
}

export interface SimulatedPage extends SimulatedAccount, Owned {
  readonly photo?: { readonly id: string; readonly username: string } | undefined;
  /** If false, the customer's role gives no token. */
  readonly hasRole?: boolean | undefined;
  /** If false, `me/accounts` omits the Page, although the consent names it. */
  readonly isListed?: boolean | undefined;
}

export interface GranularScope {
  readonly scope: string;
  readonly target_ids?: readonly string[] | undefined;
}

/**
 * How `debug_token` names the targets of a consent. `selected`: each permission has its own; `all`: none, because the
 * customer chose all accounts; `absent`: the list is missing.
 */
export type GranularScopes = 'selected' | 'all' | 'absent' | readonly GranularScope[];

const id = z.string().regex(/^\d{1,40}$/, 'must be an id of 1 to 40 digits');

const operations = ['code', 'exchange', 'accounts', 'page', 'businesses', 'subscribe'] as const;
export type ConsentOperation = (typeof operations)[number];

const word = z.string().max(60);
const facts = z.strictObject({
  quality: word.optional(),
  tier: word.optional(),
  status: word.optional(),
  nameStatus: word.optional(),
  throughput: word.optional(),
  codeStatus: word.optional(),
  platformType: word.optional(),
  isOnApp: z.boolean().optional(),
  pin: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .optional(),
});
const owned = { ownerId: id.optional(), relation: z.enum(['owned', 'client']).optional() };

/** The body of `POST /control/consent`. Omitted fields keep their value. */
export const consentControl = z.strictObject({
  numbers: z
    .array(
      z.strictObject({ id, businessId: id, number: z.string(), name: z.string(), facts: facts.optional(), ...owned }),
    )
    .optional(),
  /** Business accounts that have no number. */
  emptyBusinessIds: z.array(id).max(100).optional(),
  /** Facts by number id, also of numbers that are not listed. Replaces the earlier ones. */
  numberFacts: z.record(id, facts).optional(),
  /** Permissions that every token has. Null: those that the consent asked for. */
  scopes: z.array(z.string().max(200)).max(100).nullish(),
  /** Fields of Pages that the platform refuses to the app. */
  refusedFields: z.array(z.string().max(200)).max(100).optional(),
  granularScopes: z
    .union([
      z.enum(['selected', 'all', 'absent']),
      z.array(z.strictObject({ scope: z.string().max(200), target_ids: z.array(id).optional() })).max(100),
    ])
    .optional(),
  pages: z
    .array(
      z.strictObject({
        ...{ id, name: z.string(), hasRole: z.boolean().optional(), isListed: z.boolean().optional() },
        photo: z.strictObject({ id, username: z.string() }).optional(),
        ...owned,
      }),
    )
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
export type ConsentControlInput = z.input<typeof consentControl>;
export type ConsentFault = NonNullable<ConsentControl['fault']>;

export interface Accounts {
  numbers(): readonly PhoneNumber[];
  factsOf(id: string): NumberFacts;
  scopes(): readonly string[] | null;
  granularScopes(): GranularScopes;
  emptyBusinessIds(): readonly string[];
  refusedFields(): readonly string[];
  /** By Page or business account. */
  readonly subscriptions: Map<string, readonly string[]>;
  pages(): readonly SimulatedPage[];
  /** Returns why the platform does not register the number, or undefined if it is registered now. */
  register(id: string, pin: string): RegistrationRefusal | undefined;
  offered(type: ChannelType): readonly SimulatedAccount[];
  takeFault(operation: ConsentOperation): ConsentFault | undefined;
  control(change: ConsentControl): void;
  reset(): void;
}

export type RegistrationRefusal = 'not_verified' | 'wrong_pin';

interface AccountState {
  readonly emptyBusinessIds: readonly string[];
  readonly granularScopes: GranularScopes;
  readonly refusedFields: readonly string[];
  readonly numbers: readonly PhoneNumber[];
  readonly pages: readonly SimulatedPage[];
  readonly numberFacts: Readonly<Record<string, NumberFacts>>;
  readonly scopes: readonly string[] | null;
}

export function createAccounts(): Accounts {
  const initial: AccountState = {
    ...{ numbers: chatappNumbers, emptyBusinessIds: [], pages, numberFacts: {} },
    ...{ scopes: null, granularScopes: 'selected', refusedFields: [] },
  };
  let state = initial;
  let faults: readonly ConsentFault[] = [];
  const subscriptions = new Map<string, readonly string[]>();
  const factsOf = (id: string): NumberFacts => ({
    ...state.numbers.find((each) => each.id === id)?.facts,
    ...state.numberFacts[id],
  });

  return {
    numbers: () => state.numbers,
    factsOf,
    scopes: () => state.scopes,
    granularScopes: () => state.granularScopes,
    emptyBusinessIds: () => state.emptyBusinessIds,
    refusedFields: () => state.refusedFields,
    subscriptions,
    pages: () => state.pages,
    register(id, pin) {
      const { codeStatus = 'VERIFIED', ...known } = factsOf(id);
      if (codeStatus !== 'VERIFIED') return 'not_verified';
      if (known.pin !== undefined && known.pin !== pin) return 'wrong_pin';
      const registered = { ...known, pin, status: 'CONNECTED', platformType: 'CLOUD_API' };
      state = { ...state, numberFacts: { ...state.numberFacts, [id]: registered } };
      return undefined;
    },
    offered(type) {
      if (type === 'chatapp')
        return state.numbers.map((each) => ({ id: each.id, name: `${each.name} ${each.number}` }));
      if (type === 'pageapp') return state.pages;
      // A customer may also select a Page that has no photo account.
      return state.pages.map(({ photo, ...page }) => (photo ? { id: photo.id, name: photo.username } : page));
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
        granularScopes: change.granularScopes ?? state.granularScopes,
        refusedFields: change.refusedFields ?? state.refusedFields,
        emptyBusinessIds: change.emptyBusinessIds ?? state.emptyBusinessIds,
      };
      if (change.fault !== undefined) faults = change.fault === null ? [] : [change.fault];
    },
    reset() {
      state = initial;
      subscriptions.clear();
      faults = [];
    },
  };
}
