import { defineSignal } from '@temporalio/workflow';
import type { RegistrationEnd } from '../../contract/identity/email-code.ts';

/** The registration was completed by the right code or locked by wrong ones. Sent after the commit. */
export const registrationEnded = defineSignal<[RegistrationEnd]>('registrationEnded');

/** A wrong code was entered. The signal does not contain it. */
export const codeRefused = defineSignal('codeRefused');
