import type { OnboardingLinkBody } from '../../openapi/onboarding/schema.ts';
import { linkToken, type OnboardingLink } from '../../db/onboarding/links.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';

export function presentOnboardingLink(
  link: OnboardingLink,
  { secretBox, baseUrl }: { secretBox: SecretBox; baseUrl: string },
): OnboardingLinkBody {
  return {
    onboardingLinkId: link.publicId,
    url: link.revoked ? null : `${baseUrl}/connect/${linkToken(secretBox, link)}`,
    label: link.label,
    channelType: link.channelType,
    workspaceId: link.workspacePublicId,
    status: link.revoked ? 'revoked' : 'active',
    createdAt: link.createdAt.toISOString(),
  };
}
