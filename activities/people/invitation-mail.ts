import { PRODUCT_NAME } from '../../contract/identity/product-look.ts';
import { mailBody, plainName } from '../mails/mail-body.ts';
import type { Mail } from '../mails/mailer.ts';

interface InvitationText {
  readonly organizationName: string;
  readonly organizationId: string;
  /** Verified: the inviter signed in with it. */
  readonly inviterEmail: string;
  readonly token: string;
  readonly expiresInDays: number;
  readonly baseUrl: string;
}

/**
 * Contains no text of the inviter except the sanitized organization name and a verified address, because it is sent from
 * our address.
 */
export function invitationMail(text: InvitationText): Omit<Mail, 'to'> {
  const { organizationId, inviterEmail, token, expiresInDays, baseUrl } = text;
  const name = plainName(text.organizationName);
  // In the fragment, which reaches no server, proxy or log.
  const url = `${baseUrl}/app/invitations/accept#${encodeURIComponent(token)}`;
  return {
    subject: 'You have been invited to join an organization',
    ...mailBody([
      { kind: 'text', text: `You have been invited to join an organization on ${PRODUCT_NAME}.` },
      { kind: 'fact', label: 'Organization', value: name === '' ? organizationId : `"${name}", ${organizationId}` },
      { kind: 'fact', label: 'Invited by', value: inviterEmail },
      { kind: 'text', text: 'The organization chose this name. We have not verified it.' },
      { kind: 'text', text: 'To accept, open this link and sign in with this email address.' },
      { kind: 'link', label: 'Accept the invitation', url },
      {
        kind: 'quiet',
        text: `The link works once, only for this address, and expires ${inDays(expiresInDays)}.`,
      },
      { kind: 'quiet', text: 'If you did not expect this, ignore this email. Nothing happens unless you accept.' },
    ]),
  };
}

function inDays(days: number): string {
  if (days < 1) return 'today';
  return days === 1 ? 'in 1 day' : `in ${days} days`;
}
