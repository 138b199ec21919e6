import { forgetAnswers } from '../kit/calls/answers.ts';
import { api } from './api.ts';
import { ApiError } from '../../client/errors.ts';
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

export async function signOut(): Promise<void> {
  await api.post('/auth/sign-out');
  forgetAnswers();
  session.value = { state: 'out', hasEnded: false };
}

export async function signOutEverywhere(): Promise<void> {
  await api.post('/auth/sign-out-everywhere');
  forgetAnswers();
  session.value = { state: 'out', hasEnded: false };
}
