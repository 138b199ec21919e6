import type { RegistrationPurpose } from '../../contract/identity/email-code.ts';
import { PRODUCT_NAME } from '../../contract/identity/product-look.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { mailBody, type MailPart } from '../mails/mail-body.ts';
import type { Mail } from '../mails/mailer.ts';

interface CodeText {
  readonly code: string;
  readonly purpose: RegistrationPurpose;
  readonly scopes: readonly Scope[] | null;
  readonly windowMs: number;
}

/** The code comes first in the subject, so that a notification of a phone shows it. */
export function codeMail({ code, purpose, scopes, windowMs }: CodeText): Omit<Mail, 'to'> {
  return {
    subject: `${code} is your ${PRODUCT_NAME} code`,
    ...mailBody([
      ...requests[purpose].map((text): MailPart => ({ kind: 'text', text })),
      { kind: 'code', code },
      ...scopeParts(scopes),
      { kind: 'text', text: validityText(windowMs) },
      { kind: 'quiet', text: 'If you did not request this, ignore this email. Nothing happens without the code.' },
    ]),
  };
}

const requests: Readonly<Record<RegistrationPurpose, readonly string[]>> = {
  agent: [`A program requests a ${PRODUCT_NAME} key to act on your behalf.`, 'To allow it, give it this code:'],
  sign_in: [`To sign in to ${PRODUCT_NAME}, enter this code:`],
};

function scopeParts(scopes: readonly Scope[] | null): readonly MailPart[] {
  if (!scopes || scopes.length === 0) return [];
  return [{ kind: 'text', text: `The key will have these scopes: ${scopes.join(', ')}.` }];
}

function validityText(windowMs: number): string {
  const minutes = Math.max(1, Math.round(windowMs / 60_000));
  return `The code expires in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and works once, only for this request.`;
}
