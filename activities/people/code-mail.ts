import type { RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { Mail } from './mailer.ts';

const PRODUCT = 'Messaging channels';

interface CodeText {
  readonly code: string;
  readonly purpose: RegistrationPurpose;
  /** What an agent asks to be allowed. */
  readonly scopes: readonly Scope[] | null;
  readonly windowMs: number;
}

/** What the mail with a code says: who asks, for what, the code, how long it is good, and what to do otherwise. */
export function codeMail({ code, purpose, scopes, windowMs }: CodeText): Omit<Mail, 'to'> {
  return {
    subject: `${PRODUCT}: your code`,
    text: [...asks[purpose], '', `    ${code}`, '', ...wish(scopes), ...rest(windowMs)].join('\n'),
  };
}

const asks: Readonly<Record<RegistrationPurpose, readonly string[]>> = {
  agent: [`A program asks ${PRODUCT} for a key to act on your behalf.`, 'If you want to let it, give it this code:'],
  sign_in: [`Somebody, hopefully you, is signing in to ${PRODUCT}.`, 'Enter this code to go on:'],
};

/** Whoever gives the code away should know to what: the key can do no more than this. */
function wish(scopes: readonly Scope[] | null): readonly string[] {
  return scopes && scopes.length > 0 ? [`The key may then be used for: ${scopes.join(', ')}.`, ''] : [];
}

function rest(windowMs: number): readonly string[] {
  const minutes = Math.max(1, Math.round(windowMs / 60_000));
  return [
    `The code is good for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, and once, for the request that it was sent for.`,
    '',
    'If you did not ask for this, ignore this mail: without the code nothing happens.',
    '',
  ];
}
