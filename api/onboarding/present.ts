import type { OnboardingLinkBody } from '../../openapi/onboarding/routes.ts';
import type { LastNotification, OnboardingLink, ShownLink } from '../../db/onboarding/link-record.ts';
import { linkToken } from '../../db/onboarding/links.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';

export function presentOnboardingLink(
  link: ShownLink,
  { secretBox, baseUrl }: { secretBox: SecretBox; baseUrl: string },
): OnboardingLinkBody {
  return {
    onboardingLinkId: link.publicId,
    url: link.revoked ? null : `${baseUrl}/connect/${linkToken(secretBox, link)}`,
    label: link.label,
    channelType: link.channelType,
    workspaceId: link.workspacePublicId,
    successUrl: link.successUrl,
    failureUrl: link.failureUrl,
    connectedNotificationUrl: link.notificationUrl,
    notificationSecret: link.revoked ? null : notificationSecret(secretBox, link),
    externalId: link.externalId,
    displayName: link.displayName,
    logoUrl: link.logoUrl,
    maxUses: link.maxUses,
    useCount: link.useCount,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    status: statusOf(link),
    createdAt: link.createdAt.toISOString(),
    lastNotification: link.lastNotification && presentNotification(link.lastNotification),
  };
}

function presentNotification({ connectedAt, outcome, ...others }: LastNotification) {
  return { ...others, state: outcome ?? 'pending', connectedAt: new Date(connectedAt).toISOString() } as const;
}

function statusOf({ revoked, isExpired, isUsedUp }: OnboardingLink): OnboardingLinkBody['status'] {
  if (revoked) return 'revoked';
  if (isExpired) return 'expired';
  return isUsedUp ? 'used_up' : 'active';
}

function notificationSecret(secretBox: SecretBox, { publicId, sealedNotificationSecret }: OnboardingLink) {
  if (sealedNotificationSecret === null) return null;
  return secretBox.open(sealedNotificationSecret, sealedContexts.onboardingNotificationSecret(publicId));
}
