import type { Mail } from './mail.ts';

const PRODUCT = 'Messaging channels';

interface InvitationText {
  readonly organizationName: string;
  readonly invitedBy: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly baseUrl: string;
}

/** What the mail of an invitation says: who invites, to what, and how it is accepted. */
export function invitationMail(text: InvitationText): Omit<Mail, 'to'> {
  const organization = oneLine(text.organizationName);
  const lines = [
    `${oneLine(text.invitedBy)} invites you to "${organization}" at ${PRODUCT}.`,
    '',
    'To accept, open this link and sign in with this e-mail address:',
    '',
    `    ${text.baseUrl}/app/invitations/accept?token=${encodeURIComponent(text.token)}`,
    '',
    `(Or POST the token in it as {"token": "…"} to ${text.baseUrl}/invitations/accept in your session.)`,
    '',
    `The link is good once, until ${text.expiresAt.toISOString()}, and for this address only.`,
    'If you did not expect this, ignore this mail: unless the link is opened, nothing happens.',
    '',
  ];
  return { subject: `${PRODUCT}: invitation to ${organization}`, text: lines.join('\n') };
}

/** Whoever names an organization must not write the rest of the mail. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
