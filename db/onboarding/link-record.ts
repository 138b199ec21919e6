import type { OnboardingLinkModel } from '../models/onboarding.ts';
import type { Columns } from '../core/model.ts';

/** What the owner of a link sets for its customers and for its own program. */
export type LinkReturns = Columns<
  OnboardingLinkModel,
  'successUrl' | 'failureUrl' | 'notificationUrl' | 'externalId' | 'displayName' | 'logoUrl' | 'expiresAt' | 'maxUses'
>;

export interface LinkBrand {
  readonly displayName: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb` of the organization. */
  readonly color: string | null;
}

export interface OnboardingLink
  extends
    LinkReturns,
    Columns<
      OnboardingLinkModel,
      'id' | 'publicId' | 'organizationId' | 'workspaceId' | 'label' | 'channelType' | 'useCount' | 'createdAt'
    > {
  /** As customers know it: the display name of its branding, if it has one. */
  readonly organizationName: string;
  /** Falls back to the branding of the organization. */
  readonly brand: LinkBrand;
  readonly workspacePublicId: string | null;
  readonly sealedToken: string;
  readonly sealedNotificationSecret: string | null;
  readonly isExpired: boolean;
  readonly isUsedUp: boolean;
  readonly revoked: boolean;
}

export interface ShownLink extends OnboardingLink {
  /** Of the newest connection. Null without one that is reported, and after the retention. */
  readonly lastNotification: LastNotification | null;
}

export interface LastNotification {
  readonly channelId: string;
  readonly outcome: 'sent' | 'exhausted' | null;
  readonly attemptCount: number;
  readonly lastStatus: number | null;
  /** ISO 8601. */
  readonly connectedAt: string;
}

const selectSql = (others = ''): string => `
select l.id, l.public_id as "publicId", l.organization_id as "organizationId", coalesce(b.display_name, o.name) as "organizationName",
  l.workspace_id as "workspaceId", w.public_id as "workspacePublicId", l.label, l.channel_type as "channelType",
  l.token_encrypted as "sealedToken", l.revoked_at is not null as revoked, l.created_at as "createdAt",
  l.success_url as "successUrl", l.failure_url as "failureUrl", l.notification_url as "notificationUrl",
  l.notification_secret_encrypted as "sealedNotificationSecret", l.external_id as "externalId",
  l.display_name as "displayName", l.logo_url as "logoUrl", l.expires_at as "expiresAt", l.max_uses as "maxUses",
  l.use_count as "useCount", coalesce(l.expires_at <= now(), false) as "isExpired",
  coalesce(l.use_count >= l.max_uses, false) as "isUsedUp",
  jsonb_build_object('displayName', coalesce(l.display_name, b.display_name),
    'logoUrl', coalesce(l.logo_url, b.logo_url), 'color', b.color) as brand${others}
from onboarding_links l
join organizations o on o.id = l.organization_id
left join organization_branding b on b.organization_id = l.organization_id
left join workspaces w on w.id = l.workspace_id`;

export const linkSql = selectSql();

/** For the owner of the link. */
export const shownLinkSql = selectSql(`,
  (select jsonb_build_object('channelId', c.public_id, 'attemptCount', n.attempt_count, 'lastStatus', n.last_status,
     'connectedAt', n.created_at,
     'outcome', case n.outcome when 'delivered' then 'sent' when 'failed' then 'exhausted' end)
   from notifications n join channels c on c.id = n.channel_id
   where n.onboarding_link_id = l.id order by n.id desc limit 1) as "lastNotification"`);
