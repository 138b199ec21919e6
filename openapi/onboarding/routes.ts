import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';
import { MAX_URL_LENGTH } from '../../contract/addresses/check-url.ts';
import { onboardingFailures } from '../../contract/channels/onboarding-failures.ts';
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import {
  givenInstant,
  idField,
  instantField,
  listQuery,
  namedObject,
  namedPage,
  nameInput,
  noControlCharacters,
  visibleLine,
} from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

const labelField = visibleLine(200).describe('Shown to the customer on the page of the link.');

const targetField = idField(
  'workspace',
  'The workspace of the new channel. If null, each connected account gets its own customer workspace, named after the account.',
).nullable();

const urlInput = (description: string) => z.string().min(1).max(MAX_URL_LENGTH).describe(description);
const textInput = (description: string) =>
  z.string().trim().min(1).max(200).regex(noControlCharacters, 'must have no control characters').describe(description);

const returnInputs = {
  successUrl: urlInput(
    'Where the customer goes after connecting. Gets the parameters `channelId`, `onboardingLinkId` and `externalId`. ' +
      'Confirm the channel with the API or the notification: anyone can open this URL.',
  ).nullable(),
  failureUrl: urlInput(
    `Where the customer goes if nothing was connected. Gets \`reason\` (${onboardingFailures.join(', ')}), ` +
      '`onboardingLinkId` and `externalId`.',
  ).nullable(),
  connectedNotificationUrl: urlInput(
    'Receives a signed POST for each connected channel, repeated for about a day until it answers 2xx.',
  ).nullable(),
  externalId: textInput('Your id for the customer or the session; passed back unchanged.').nullable(),
  displayName: nameInput.nullable().describe('Your name on the page of the link, above the name of the organization.'),
  logoUrl: urlInput('An image on the page of the link.').nullable(),
  maxUses: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe('Connections that the link allows; 1 for single use, null for any number.'),
  expiresAt: givenInstant.nullable().describe('In the future. Null if the link is valid until it is revoked.'),
};
const optionalReturns = z.object(returnInputs).partial().shape;

function pastLinkExpiry({ body, nowMs }: UnvalidatedInput): string[] {
  const { expiresAt } = body;
  const isPast = typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs;
  return isPast ? ['body.expiresAt: must be in the future'] : [];
}

const onboardingLinkInput = namedObject('OnboardingLinkInput', {
  label: labelField,
  channelType: z.enum(channelTypes),
  workspaceId: targetField.optional(),
  ...optionalReturns,
});

const onboardingLinkPatch = namedObject('OnboardingLinkPatch', {
  label: labelField.optional(),
  workspaceId: targetField.optional(),
  ...optionalReturns,
});

const onboardingLinkSchema = namedObject('OnboardingLink', {
  onboardingLinkId: idField('onboardingLink', 'The link.'),
  url: z.url().nullable().describe('The URL that the customer opens; null if the link is revoked.'),
  label: z.string(),
  channelType: z.enum(channelTypes),
  workspaceId: targetField,
  successUrl: z.string().nullable(),
  failureUrl: z.string().nullable(),
  connectedNotificationUrl: z.string().nullable(),
  notificationSecret: z
    .string()
    .nullable()
    .describe('Verifies notifications (Standard Webhooks). Null without `connectedNotificationUrl`.'),
  externalId: z.string().nullable(),
  displayName: z.string().nullable(),
  logoUrl: z.string().nullable(),
  maxUses: z.int().nullable().describe('Null for any number.'),
  useCount: z.int().describe('Connections and reconnections through the link.'),
  expiresAt: instantField.nullable(),
  status: z
    .enum(['active', 'expired', 'used_up', 'revoked'])
    .describe('Only active links connect channels. Changing `expiresAt` or `maxUses` can reactivate others.'),
  createdAt: instantField,
  lastNotification: z
    .strictObject({
      channelId: idField('channel', 'The connected channel.'),
      state: z.enum(['pending', 'sent', 'exhausted']).describe('`exhausted` after the last retry failed.'),
      attemptCount: z.int().min(0),
      lastStatus: z.int().nullable().describe('The last HTTP status. Null without an answer.'),
      connectedAt: instantField,
    })
    .nullable()
    .describe('The call to `connectedNotificationUrl` about the newest connection. Null without one.'),
});
export type OnboardingLinkBody = z.output<typeof onboardingLinkSchema>;

const onboardingLinkListSchema = namedPage('OnboardingLinkList', { onboardingLinks: onboardingLinkSchema });

/** A URL lets anyone connect an account, so reading needs the same scope as creating. */
const access = byScope('channel.connect', { within: 'organization', role: 'admin' });

export const onboardingRoutes = defineRoutes('Onboarding', {
  createOnboardingLink: {
    route: 'POST /organizations/{org}/onboarding-links',
    summary: 'Creates a link that a customer opens to connect one or more accounts',
    remarks: 'Send the URL to your customer. The accounts become channels of the workspace.',
    access,
    body: onboardingLinkInput,
    problems: pastLinkExpiry,
    status: 201,
    answer: onboardingLinkSchema,
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', 'URL_NOT_ALLOWED'],
  },
  listOnboardingLinks: {
    route: 'GET /organizations/{org}/onboarding-links',
    summary: "Lists an organization's onboarding links with the revoked ones, newest first",
    remarks: 'With the number of accounts that were connected.',
    access,
    query: listQuery,
    answer: onboardingLinkListSchema,
  },
  getOnboardingLink: {
    route: 'GET /organizations/{org}/onboarding-links/{ol}',
    summary: 'Returns an onboarding link',
    remarks: 'With the number of accounts that were connected.',
    access,
    answer: onboardingLinkSchema,
  },
  changeOnboardingLink: {
    route: 'PATCH /organizations/{org}/onboarding-links/{ol}',
    summary: 'Changes an onboarding link that is not revoked',
    description: 'The new values apply to customers who are already connecting, too.',
    access,
    body: onboardingLinkPatch,
    problems: pastLinkExpiry,
    answer: onboardingLinkSchema,
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED', 'URL_NOT_ALLOWED'],
  },
  revokeOnboardingLink: {
    route: 'DELETE /organizations/{org}/onboarding-links/{ol}',
    summary: 'Revokes an onboarding link permanently',
    description: 'Customers who are connecting through the link are stopped.',
    access,
  },
  regenerateOnboardingLink: {
    route: 'POST /organizations/{org}/onboarding-links/{ol}/regenerate',
    summary: 'Replaces the URL of an onboarding link that is not revoked',
    description: 'The previous URL stops working immediately.',
    access,
    answer: onboardingLinkSchema,
  },
});
