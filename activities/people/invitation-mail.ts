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

/** Contains no text of the inviter except the sanitized organization name, because it is sent from our address. */
export function invitationMail(text: InvitationText): Omit<Mail, 'to'> {
  const name = plainName(text.organizationName);
  const named = name === '' ? '' : `"${name}", `;
  const lines = [
    `You have been invited to join an organization on ${PRODUCT}.`,
    '',
    `    Organization: ${named}${text.organizationId}`,
    '',
    'The organization chose this name. We have not verified it.',
    'To accept, open this link and sign in with this email address:',
    '',
    `    ${text.baseUrl}/app/invitations/accept?token=${encodeURIComponent(text.token)}`,
    '',
    `(Or send its token as {"token": "…"} in a POST to ${text.baseUrl}/invitations/accept with your session.)`,
    '',
    `The link works once, only for this address, and expires at ${text.expiresAt.toISOString()}.`,
    'If you did not expect this, ignore this email. Nothing happens unless you accept.',
    '',
  ];
  return { subject: 'You have been invited to join an organization', text: lines.join('\n') };
}
