import { signal } from '@preact/signals';
import { type ApiClient, createClient } from '../../../client/create-client.ts';

export interface Desk {
  readonly client: ApiClient;
  /** Sent with every call, for the audit log of the organization. */
  readonly reason: string;
}

/** In memory only: a reload or a closed tab forgets the staff key. */
export const desk = signal<Desk | null>(null);

export function openDesk(staffKey: string, reason: string): void {
  const fetchWithoutCookie = (request: Request) => fetch(request, { credentials: 'omit' });
  desk.value = { client: createClient({ baseUrl: '', credential: staffKey, fetch: fetchWithoutCookie }), reason };
}
