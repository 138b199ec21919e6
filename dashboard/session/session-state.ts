import { computed, signal } from '@preact/signals';
import type { Schema } from '../../client/create-client.ts';
import { queries } from '../kit/calls.ts';

export type Person = Pick<Schema<'CurrentSession'>, 'user' | 'organizations'>;
export type OrganizationMembership = Person['organizations'][number];

export type Session =
  | { readonly state: 'unknown' }
  /** `hasEnded`: the session ended while the page was open. */
  | { readonly state: 'out'; readonly hasEnded: boolean }
  | { readonly state: 'in'; readonly person: Person };

export const session = signal<Session>({ state: 'unknown' });

export const person = computed(() => (session.value.state === 'in' ? session.value.person : null));

export function sessionEnded(): void {
  queries.clear();
  const { state } = session.peek();
  if (state !== 'out') session.value = { state: 'out', hasEnded: state === 'in' };
}
