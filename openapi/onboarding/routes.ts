import { defineRoutes } from '../definitions/define-routes.ts';
import {
  onboardingLinkInput,
  onboardingLinkListQuery,
  onboardingLinkListSchema,
  onboardingLinkPatch,
  onboardingLinkSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

/** A link's URL lets anyone connect an account, so reading a link requires the same scope as creating one. */
const access = byScope('channel.connect', { within: 'organization', role: 'admin' });

export const onboardingRoutes = defineRoutes('Onboarding', {
  createOnboardingLink: {
    route: 'POST /organizations/{org}/onboarding-links',
    summary: 'Creates an onboarding link',
    description: 'A customer opens the link to connect a channel. It can be used for several accounts.',
    access,
    body: onboardingLinkInput,
    status: 201,
    answer: onboardingLinkSchema,
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listOnboardingLinks: {
    route: 'GET /organizations/{org}/onboarding-links',
    summary: 'Lists onboarding links',
    description: 'Returns the links of an organization, including revoked ones, newest first.',
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
    summary: 'Updates an onboarding link',
    description: 'Changes the label or the workspace of a link that is not revoked.',
    access,
    body: onboardingLinkPatch,
    answer: onboardingLinkSchema,
    errors: ['WORKSPACE_NOT_FOUND'],
  },
  revokeOnboardingLink: {
    route: 'DELETE /organizations/{org}/onboarding-links/{ol}',
    summary: 'Revokes an onboarding link',
    description: 'Revocation is permanent and stops customers who are connecting through the link.',
    access,
  },
  regenerateOnboardingLink: {
    route: 'POST /organizations/{org}/onboarding-links/{ol}/regenerate',
    summary: 'Regenerates the URL of an onboarding link',
    description: 'The previous URL stops working immediately. The link must not be revoked.',
    access,
    answer: onboardingLinkSchema,
  },
});
