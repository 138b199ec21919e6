import type { Mail } from './mailer.ts';
import { plainName } from './plain-name.ts';

const PRODUCT = 'Messaging channels';

interface InvitationText {
  readonly organizationName: string;
  readonly organizationId: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly baseUrl: string;
}

/**
 * What the mail of an invitation says. Its words are ours, the subject above all: the mail comes from our address, and
 * whoever invites must not write to strangers in our name. The inviter's address is left out for the same reason.
 */
export function invitationMail(text: InvitationText): Omit<Mail, 'to'> {
  const name = plainName(text.organizationName);
  const named = name === '' ? '' : `"${name}", `;
  const lines = [
    `You are invited to join an organization at ${PRODUCT}.`,
    '',
    `    Organization: ${named}${text.organizationId}`,
    '',
    'The organization has chosen its name itself; we have not verified it.',
    'To accept, open this link and sign in with this e-mail address:',
    '',
    `    ${text.baseUrl}/app/invitations/accept?token=${encodeURIComponent(text.token)}`,
    '',
    `(Or POST the token in it as {"token": "…"} to ${text.baseUrl}/invitations/accept in your session.)`,
    '',
    `The link works once, until ${text.expiresAt.toISOString()}, and for this address only.`,
    'If you did not expect this, ignore this mail: unless the link is opened, nothing happens.',
    '',
  ];
  return { subject: 'You are invited to join an organization', text: lines.join('\n') };
}
