import { ApiError } from '../../client/errors.ts';
import { queries } from '../kit/calls.ts';
import { api } from './api.ts';
import { type Person, session } from './session-state.ts';

export async function loadSession(): Promise<void> {
  try {
    startSession(await api.get('/auth/session'));
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 401) return;
    throw error;
  }
}

export function startSession({ user, organizations }: Person): void {
  session.value = { state: 'in', person: { user, organizations } };
}

export const signOut = (): Promise<void> => leave('/auth/sign-out');
export const signOutEverywhere = (): Promise<void> => leave('/auth/sign-out-everywhere');

/** Drops everything that was read, so that the next person at this browser finds nothing of the last one. */
async function leave(path: '/auth/sign-out' | '/auth/sign-out-everywhere'): Promise<void> {
  await api.post(path);
  queries.clear();
  session.value = { state: 'out', hasEnded: false };
}
