import { defineSignal } from '@temporalio/workflow';
import type { RegistrationEnd } from '../../contract/identity/email-code.ts';

/** Sent after the commit. */
export const registrationEnded = defineSignal<[RegistrationEnd]>('registrationEnded');

export const codeRefused = defineSignal('codeRefused');
