import {
  onboardingLinkInput,
  onboardingLinkListQuery,
  onboardingLinkListSchema,
  onboardingLinkPatch,
  onboardingLinkSchema,
} from './schema.ts';
import { byScope, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Onboarding';
const listParameters = { org: { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' } } as const;
const linkParameters = {
  ...listParameters,
  ol: { kind: 'onboardingLink', notFound: 'ONBOARDING_LINK_NOT_FOUND' },
} as const;
/** Whoever has a link's address can connect an account, so that reading one is as much as making one. */
const access = byScope('channel.connect', { within: 'organization', role: 'admin' });

export const onboardingRoutes = {
  createOnboardingLink: {
    operationId: 'createOnboardingLink',
    summary: 'Makes a link that a customer opens to connect a channel; it may be used for several accounts',
    tag,
    method: 'post',
    path: '/organizations/{org}/onboarding-links',
    parameters: listParameters,
    access,
    body: onboardingLinkInput,
    success: { status: 201, body: onboardingLinkSchema },
    errors: ['WORKSPACE_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listOnboardingLinks: {
    operationId: 'listOnboardingLinks',
    summary: "Lists an organization's onboarding links, newest first, the revoked ones too",
    tag,
    method: 'get',
    path: '/organizations/{org}/onboarding-links',
    parameters: listParameters,
    access,
    query: onboardingLinkListQuery,
    success: { status: 200, body: onboardingLinkListSchema },
    errors: [],
  },
  getOnboardingLink: {
    operationId: 'getOnboardingLink',
    summary: 'Returns an onboarding link',
    tag,
    method: 'get',
    path: '/organizations/{org}/onboarding-links/{ol}',
    parameters: linkParameters,
    access,
    success: { status: 200, body: onboardingLinkSchema },
    errors: [],
  },
  changeOnboardingLink: {
    operationId: 'changeOnboardingLink',
    summary: 'Changes the label or the workspace of a link that is not revoked',
    tag,
    method: 'patch',
    path: '/organizations/{org}/onboarding-links/{ol}',
    parameters: linkParameters,
    access,
    body: onboardingLinkPatch,
    success: { status: 200, body: onboardingLinkSchema },
    errors: ['WORKSPACE_NOT_FOUND'],
  },
  revokeOnboardingLink: {
    operationId: 'revokeOnboardingLink',
    summary: 'Revokes a link for good; whoever is in the middle of connecting through it is stopped',
    tag,
    method: 'delete',
    path: '/organizations/{org}/onboarding-links/{ol}',
    parameters: linkParameters,
    access,
    success: { status: 204, body: null },
    errors: [],
  },
  regenerateOnboardingLink: {
    operationId: 'regenerateOnboardingLink',
    summary: 'Gives a link that is not revoked a new address; the old one ends at once',
    tag,
    method: 'post',
    path: '/organizations/{org}/onboarding-links/{ol}/regenerate',
    parameters: linkParameters,
    access,
    success: { status: 200, body: onboardingLinkSchema },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
