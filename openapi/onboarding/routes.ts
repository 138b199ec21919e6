import { defineRoutes } from '../definitions/define-routes.ts';
import {
  onboardingLinkInput,
  onboardingLinkListQuery,
  onboardingLinkListSchema,
  onboardingLinkPatch,
  onboardingLinkSchema,
  pastLinkExpiry,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

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
    query: onboardingLinkListQuery,
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
