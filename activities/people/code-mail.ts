import type { RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { Mail } from './mailer.ts';

const PRODUCT = 'Messaging channels';

interface CodeText {
  readonly code: string;
  readonly purpose: RegistrationPurpose;
  readonly scopes: readonly Scope[] | null;
  readonly windowMs: number;
}

export function codeMail({ code, purpose, scopes, windowMs }: CodeText): Omit<Mail, 'to'> {
  return {
    subject: `Your ${PRODUCT} code`,
    text: [...requestLines[purpose], '', `    ${code}`, '', ...scopeLines(scopes), ...validityLines(windowMs)].join(
      '\n',
    ),
  };
}

const requestLines: Readonly<Record<RegistrationPurpose, readonly string[]>> = {
  agent: [`A program requests a ${PRODUCT} key to act on your behalf.`, 'To allow it, give it this code:'],
  sign_in: [`To sign in to ${PRODUCT}, enter this code:`],
};

function scopeLines(scopes: readonly Scope[] | null): readonly string[] {
  return scopes && scopes.length > 0 ? [`The key will have these scopes: ${scopes.join(', ')}.`, ''] : [];
}

function validityLines(windowMs: number): readonly string[] {
  const minutes = Math.max(1, Math.round(windowMs / 60_000));
  return [
    `The code expires in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and works once, only for this request.`,
    '',
    'If you did not request this, ignore this email. Nothing happens without the code.',
    '',
  ];
}
