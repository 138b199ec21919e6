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
    subject: `Your ${PRODUCT} code`,
    text: [...asks[purpose], '', `    ${code}`, '', ...wish(scopes), ...rest(windowMs)].join('\n'),
  };
}

const asks: Readonly<Record<RegistrationPurpose, readonly string[]>> = {
  agent: [`A program requests a ${PRODUCT} key to act on your behalf.`, 'To allow it, give it this code:'],
  sign_in: [`To sign in to ${PRODUCT}, enter this code:`],
};

/** Whoever gives the code away should know to what: the key can do no more than this. */
function wish(scopes: readonly Scope[] | null): readonly string[] {
  return scopes && scopes.length > 0 ? [`The key will have these scopes: ${scopes.join(', ')}.`, ''] : [];
}

function rest(windowMs: number): readonly string[] {
  const minutes = Math.max(1, Math.round(windowMs / 60_000));
  return [
    `The code expires in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and works once, only for this request.`,
    '',
    'If you did not request this, ignore this email. Nothing happens without the code.',
    '',
  ];
}
