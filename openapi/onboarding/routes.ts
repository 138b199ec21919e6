import { defineRoutes } from '../definitions/define-routes.ts';
import {
  onboardingLinkInput,
  onboardingLinkListQuery,
  onboardingLinkListSchema,
  onboardingLinkPatch,
  onboardingLinkSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

/** A URL lets anyone connect an account, so reading needs the same scope as creating. */
const access = byScope('channel.connect', { within: 'organization', role: 'admin' });

export const onboardingRoutes = defineRoutes('Onboarding', {
  createOnboardingLink: {
    route: 'POST /organizations/{org}/onboarding-links',
    summary: 'Creates a link that a customer opens to connect one or more accounts',
    access,
    body: onboardingLinkInput,
    status: 201,
    answer: onboardingLinkSchema,
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listOnboardingLinks: {
    route: 'GET /organizations/{org}/onboarding-links',
    summary: "Lists an organization's onboarding links with the revoked ones, newest first",
    access,
    query: onboardingLinkListQuery,
    answer: onboardingLinkListSchema,
  },
  getOnboardingLink: {
    route: 'GET /organizations/{org}/onboarding-links/{ol}',
    summary: 'Returns an onboarding link',
    access,
    answer: onboardingLinkSchema,
  },
  changeOnboardingLink: {
    route: 'PATCH /organizations/{org}/onboarding-links/{ol}',
    summary: 'Changes the label or the workspace of an active onboarding link',
    access,
    body: onboardingLinkPatch,
    answer: onboardingLinkSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
  revokeOnboardingLink: {
    route: 'DELETE /organizations/{org}/onboarding-links/{ol}',
    summary: 'Revokes an onboarding link permanently',
    description: 'Customers who are connecting through the link are stopped.',
    access,
  },
  regenerateOnboardingLink: {
    route: 'POST /organizations/{org}/onboarding-links/{ol}/regenerate',
    summary: 'Replaces the URL of an active onboarding link',
    description: 'The previous URL stops working immediately.',
    access,
    answer: onboardingLinkSchema,
  },
});
