import type { Schema } from '../../client/create-client.ts';
import { channelTypes } from '../../contract/event-types.ts';
import { parseWholeNumber } from '../commands/arguments.ts';
import { group } from '../commands/definition.ts';
import { type Flags, type Kind, oneOf, orNone, pages, required, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { timeCell, type View } from '../terminal/output.ts';

const linkStatus = ({ status }: Schema<'OnboardingLink'>) =>
  ({ text: status, tone: status === 'active' ? 'good' : 'quiet' }) as const;

const link: View<Schema<'OnboardingLink'>> = {
  Link: 'onboardingLinkId',
  URL: 'url',
  Label: 'label',
  'Channel type': 'channelType',
  Workspace: ({ workspaceId }) => workspaceId ?? 'new customer for each account',
  Uses: ({ useCount, maxUses }) => `${useCount} of ${maxUses ?? 'any number'}`,
  Expires: ({ expiresAt }) => timeCell(expiresAt) ?? 'never',
  'External id': 'externalId',
  'Success URL': 'successUrl',
  'Failure URL': 'failureUrl',
  'Notification URL': 'connectedNotificationUrl',
  'Notification secret': 'notificationSecret',
  'Last notification': notificationText,
  Status: linkStatus,
  Created: 'createdAt',
};

function notificationText({ lastNotification: last }: Schema<'OnboardingLink'>): string | null {
  if (last === null) return null;
  const answer = last.lastStatus === null ? 'no answer' : `HTTP ${last.lastStatus}`;
  return `${last.state} for ${last.channelId}${last.attemptCount === 0 ? '' : `, ${answer}`}`;
}

const uses: Kind<number | null | undefined> = {
  parse: (text: string) => (text === 'none' ? text : parseWholeNumber(text)),
  convert: (parsed: number | 'none' | undefined) => (parsed === 'none' ? null : parsed),
};

const returns = {
  successUrl: ['--success-url <url>', 'where the customer goes after connecting', orNone],
  failureUrl: ['--failure-url <url>', 'where the customer goes if nothing was connected', orNone],
  connectedNotificationUrl: ['--notify-url <url>', 'receives a signed POST for each connected channel', orNone],
  externalId: ['--external-id <id>', 'your id; passed back in URLs and notifications', orNone],
  displayName: ['--display-name <name>', 'your name on the page', orNone],
  logoUrl: ['--logo-url <url>', 'your logo on the page', orNone],
  maxUses: ['--max-uses <count>', 'connections that the link allows (default: any number)', uses],
  expiresAt: ['--expires <time>', 'ISO 8601 timestamp (default: never)', orNone],
} as const satisfies Flags;

export const onboardingLinks = group('onboarding-links', 'Manage onboarding links for customers', [
  route('create <label>', 'POST /organizations/{org}/onboarding-links', {
    summary: 'Create a link; by default, it works for any number of accounts',
    examples: [
      "'Spring campaign' --type chatapp --into ws_8kLm3Qz1",
      "'Shop 17' --type chatapp --max-uses 1 --success-url https://shop.example/done",
    ],
    flags: {
      channelType: ['--type <type>', 'channel type', required(oneOf(channelTypes))],
      workspaceId: ['--into <workspace>', 'workspace for the channels (default: a new customer for each account)'],
      ...returns,
    },
    record: link,
  }),
  route('list', 'GET /organizations/{org}/onboarding-links', {
    summary: 'List links, newest first',
    flags: pages,
    empty: 'No links found.',
    columns: {
      LINK: 'onboardingLinkId',
      LABEL: 'label',
      TYPE: 'channelType',
      STATUS: linkStatus,
      WORKSPACE: 'workspaceId',
      URL: 'url',
    },
  }),
  route('show <link>', 'GET /organizations/{org}/onboarding-links/{ol}', { summary: 'Show a link', record: link }),
  route('edit <link>', 'PATCH /organizations/{org}/onboarding-links/{ol}', {
    summary: 'Change a link; none removes a value',
    examples: "ol_8kLm3Qz1 --label 'Summer campaign'",
    flags: {
      label: ['--label <text>', 'label shown to the customer'],
      workspaceId: [
        '--into <workspace>',
        'workspace for the channels; none creates a customer for each account',
        orNone,
      ],
      ...returns,
    },
    unchanged: 'Nothing to change. Use --label, --into or another option.',
    record: link,
  }),
  route('revoke <link>', 'DELETE /organizations/{org}/onboarding-links/{ol}', {
    summary: 'Revoke a link permanently',
    examples: 'ol_8kLm3Qz1 --yes',
    flags: yes,
    confirm: ([ol]) => `Revoke ${ol} permanently?`,
    done: (_, [ol]) => [{ onboardingLinkId: ol, status: 'revoked' }, `Revoked ${ol}.`],
  }),
  route('regenerate <link>', 'POST /organizations/{org}/onboarding-links/{ol}/regenerate', {
    summary: 'Replace the URL of a link; the old one stops working',
    record: link,
  }),
]);
