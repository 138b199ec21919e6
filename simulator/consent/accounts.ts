import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';

/** What the demo customer has at the platform. The first number is the demo's own, so that a second connection can be tried. */
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

export interface PhoneNumber extends SimulatedAccount {
  readonly businessId: string;
  readonly number: string;
}

export interface SimulatedPage extends SimulatedAccount {
  readonly photo?: { readonly id: string; readonly username: string } | undefined;
}

const id = z.string().regex(/^\d{1,40}$/);

/** Steps that can be made to fail: the code, its long-lived exchange, the lists, the subscription. */
const steps = ['code', 'exchange', 'accounts', 'subscribe'] as const;
export type ConsentStep = (typeof steps)[number];

/** What `POST /control/consent` takes: what the customer has, and what goes wrong next. Left-out fields stay. */
export const consentControl = z.strictObject({
  numbers: z.array(z.strictObject({ id, businessId: id, number: z.string(), name: z.string() })).optional(),
  pages: z
    .array(z.strictObject({ id, name: z.string(), photo: z.strictObject({ id, username: z.string() }).optional() }))
    .optional(),
  /** Null ends it. `expired` refuses as the platform does for a code that is too old. */
  fault: z
    .strictObject({
      at: z.enum(steps),
      status: z.int().min(400).max(599).optional(),
      expired: z.boolean().optional(),
      delayMs: z.int().min(0).max(60_000).optional(),
      /** Left out: until another one is set. */
      times: z.int().min(1).optional(),
    })
    .nullish(),
});
export type ConsentControl = z.output<typeof consentControl>;
export type Fault = NonNullable<ConsentControl['fault']>;

export interface Accounts {
  numbers(): readonly PhoneNumber[];
  pages(): readonly SimulatedPage[];
  /** What a consent for this type offers. */
  offered(type: ChannelType): readonly SimulatedAccount[];
  /** The fault of this step; one with a count is used up by asking. */
  takeFault(step: ConsentStep): Fault | undefined;
  control(change: ConsentControl): void;
  reset(): void;
}

export function createAccounts(): Accounts {
  const initial = { numbers: chatappNumbers as readonly PhoneNumber[], pages: pages as readonly SimulatedPage[] };
  let state = initial;
  let fault: Fault | undefined;

  return {
    numbers: () => state.numbers,
    pages: () => state.pages,
    offered(type) {
      if (type === 'chatapp')
        return state.numbers.map((each) => ({ id: each.id, name: `${each.name} ${each.number}` }));
      if (type === 'pageapp') return state.pages;
      return state.pages.flatMap(({ photo }) => (photo ? [{ id: photo.id, name: photo.username }] : []));
    },
    takeFault(step) {
      if (fault?.at !== step) return undefined;
      const taken = fault;
      if (taken.times !== undefined) fault = taken.times > 1 ? { ...taken, times: taken.times - 1 } : undefined;
      return taken;
    },
    control(change) {
      state = { numbers: change.numbers ?? state.numbers, pages: change.pages ?? state.pages };
      if (change.fault !== undefined) fault = change.fault ?? undefined;
    },
    reset() {
      state = initial;
      fault = undefined;
    },
  };
}
