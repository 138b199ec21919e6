import type { ChannelType } from '../../contract/event-types.ts';
import type { AccountStatus, NameStatus, QualityRating } from '../../contract/channels/health.ts';

/** The first field is the present name of the limit, the second the earlier one. */
export const limitFields = ['whatsapp_business_manager_messaging_limit', 'messaging_limit_tier'] as const;

const basicNumberFields = 'verified_name,quality_rating,name_status,status,throughput';
const furtherNumberFields = [...limitFields, 'platform_type', 'is_on_biz_app'];

export const accountFields: Readonly<Record<ChannelType, string>> = {
  chatapp: [basicNumberFields, ...furtherNumberFields].join(','),
  photoapp: 'username,name,profile_picture_url',
  pageapp: 'name,username,picture',
};

/** For versions of the API that refuse an unknown field. */
export const fallbackFields: Readonly<Partial<Record<ChannelType, string>>> = { chatapp: basicNumberFields };

export const profileEdge = 'whatsapp_business_profile';
export const profileFields = 'profile_picture_url';

const qualities: Readonly<Record<string, QualityRating>> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' };

/** Without the words of a number that is not registered. */
const accountStatuses: Readonly<Record<string, AccountStatus>> = {
  CONNECTED: 'connected',
  FLAGGED: 'flagged',
  RESTRICTED: 'restricted',
  RATE_LIMITED: 'restricted',
  BANNED: 'banned',
  MIGRATED: 'offline',
  DELETED: 'offline',
};

const nameStatuses: Readonly<Record<string, NameStatus>> = {
  APPROVED: 'approved',
  AVAILABLE_WITHOUT_REVIEW: 'approved',
  PENDING_REVIEW: 'pending',
  DECLINED: 'declined',
  EXPIRED: 'declined',
};

export const qualityOf = (word: string): QualityRating => wordOf(qualities, word) ?? 'unknown';
export const accountStatusOf = (word: string): AccountStatus => wordOf(accountStatuses, word) ?? 'unknown';
export const nameStatusOf = (word: string): NameStatus => wordOf(nameStatuses, word) ?? 'unknown';

function wordOf<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  const key = word.toUpperCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** `TIER_1K` becomes `1k`. Words that are not known keep their spelling in lower case. */
export function tierOf(word: string): string | null {
  const name = word.toLowerCase().replace(/^tier_/, '');
  return /^[a-z0-9_]{1,40}$/.test(name) && name !== 'not_set' ? name : null;
}
