import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import { faultFields } from '../scripted-api/fault.ts';
import { takeFirst } from '../scripted-api/script.ts';

const id = z.string().regex(/^\d{1,40}$/, 'must be an id of 1 to 40 digits');
const word = z.string().max(60).optional();

const operations = ['code', 'exchange', 'accounts', 'page', 'businesses', 'subscribe'] as const;
export type ConsentOperation = (typeof operations)[number];

/** Facts of a number that replace the usual ones, in the platform's words. */
const numberFacts = z.strictObject({
  quality: word,
  tier: word,
  status: word,
  nameStatus: word,
  throughput: word,
  /** `VERIFIED`, unless given. A number that is not verified can't be registered. */
  codeStatus: word,
  platformType: word,
  /** Whether the number is used in the business app, too. */
  isOnApp: z.boolean().optional(),
  /** The number's two-step verification. Any PIN registers a number that has none. */
  pin: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .optional(),
});
export type NumberFacts = z.output<typeof numberFacts>;

/** Whose account it is: a business lists its own and those of its clients. */
const owned = { ownerId: id.optional(), relation: z.enum(['owned', 'client']).optional() };
const phoneNumber = z.strictObject({ id, businessId: id, number: z.string(), name: z.string(), ...owned });
export type PhoneNumber = z.output<typeof phoneNumber>;

const page = z.strictObject({
  id,
  name: z.string(),
  /** If false, the customer's role gives no token. */
  hasRole: z.boolean().optional(),
  /** If false, `me/accounts` omits the Page, although the consent names it. */
  isListed: z.boolean().optional(),
  photo: z.strictObject({ id, username: z.string() }).optional(),
  ...owned,
});
export type SimulatedPage = z.output<typeof page>;
export type Owned = Pick<SimulatedPage, 'ownerId' | 'relation'>;

const granularScope = z.strictObject({ scope: z.string().max(200), target_ids: z.array(id).optional() });
export type GranularScope = z.output<typeof granularScope>;

/** The body of `POST /control/consent`. Omitted fields keep their value. */
export const consentControl = z.strictObject({
  numbers: z.array(phoneNumber).optional(),
  /** Business accounts that have no number. */
  emptyBusinessIds: z.array(id).max(100).optional(),
  /** Facts by number id, also of numbers that are not listed. Replaces the earlier ones. */
  numberFacts: z.record(id, numberFacts).optional(),
  /** Permissions that every token has. Null: those that the consent asked for. */
  scopes: z.array(z.string().max(200)).max(100).nullish(),
  /** Fields of Pages that the platform refuses to the app. */
  refusedFields: z.array(z.string().max(200)).max(100).optional(),
  /**
   * How `debug_token` names the targets of a consent. `selected`: each permission has its own; `all`: none, because the
   * customer chose all accounts; `absent`: the list is missing.
   */
  granularScopes: z.union([z.enum(['selected', 'all', 'absent']), z.array(granularScope).max(100)]).optional(),
  pages: z.array(page).optional(),
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
type ConsentControl = z.output<typeof consentControl>;
export type ConsentControlInput = z.input<typeof consentControl>;
export type ConsentFault = NonNullable<ConsentControl['fault']>;

type AccountState = { readonly [K in Exclude<keyof ConsentControl, 'fault'>]-?: Exclude<ConsentControl[K], undefined> };

const initial: AccountState = {
  numbers: [
    { id: '100000000000011', businessId: '400000000000001', number: '+1 555 010 0011', name: 'Sunrise Bakery' },
    { id: '100000000000012', businessId: '400000000000001', number: '+1 555 010 0012', name: 'Sunrise Bakery orders' },
    { id: '100000000000001', businessId: '400000000000002', number: '+1 555 078 3881', name: 'Demo number' },
  ],
  emptyBusinessIds: [],
  numberFacts: {},
  scopes: null,
  refusedFields: [],
  granularScopes: 'selected',
  pages: [
    { id: '300000000000011', name: 'Harbour Books', photo: { id: '200000000000011', username: 'harbour.books' } },
    { id: '300000000000012', name: 'Garden Café', photo: { id: '200000000000012', username: 'garden.cafe' } },
    { id: '300000000000013', name: 'Town Choir' },
  ],
};

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts() {
  let state = initial;
  let faults: readonly ConsentFault[] = [];
  /** By Page or business account. */
  const subscriptions = new Map<string, readonly string[]>();
  const factsOf = (numberId: string): NumberFacts => state.numberFacts[numberId] ?? {};

  return {
    state: () => state,
    factsOf,
    subscriptions,
    /** Returns why the platform does not register the number, or undefined if it is registered now. */
    register(numberId: string, pin: string): 'not_verified' | 'wrong_pin' | undefined {
      const { codeStatus = 'VERIFIED', ...known } = factsOf(numberId);
      if (codeStatus !== 'VERIFIED') return 'not_verified';
      if (known.pin !== undefined && known.pin !== pin) return 'wrong_pin';
      const registered = { ...known, pin, status: 'CONNECTED', platformType: 'CLOUD_API' };
      state = { ...state, numberFacts: { ...state.numberFacts, [numberId]: registered } };
      return undefined;
    },
    /** The accounts that the customer may select. */
    offered(type: ChannelType): readonly { readonly id: string; readonly name: string }[] {
      if (type === 'chatapp')
        return state.numbers.map((each) => ({ id: each.id, name: `${each.name} ${each.number}` }));
      if (type === 'pageapp') return state.pages;
      // A customer may also select a Page that has no photo account.
      return state.pages.map((each) => (each.photo ? { id: each.photo.id, name: each.photo.username } : each));
    },
    takeFault(operation: ConsentOperation): ConsentFault | undefined {
      const { taken, left } = takeFirst(faults, ({ at }) => at === operation);
      faults = left;
      return taken;
    },
    control({ fault, ...change }: ConsentControl): void {
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      state = { ...state, ...Object.fromEntries(given) };
      if (fault !== undefined) faults = fault === null ? [] : [fault];
    },
    reset(): void {
      state = initial;
      subscriptions.clear();
      faults = [];
    },
  };
}
