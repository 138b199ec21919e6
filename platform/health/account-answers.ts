import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import type { HealthReading, AccountStatus, NameStatus, QualityRating } from '../../contract/channels/health.ts';
import { isRegistered } from '../client/number-registration.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_URL_LENGTH = 2_048;

/** A missing or malformed field becomes null, so that the others stay usable. */
const word = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

/** One line, because it is shown to people. */
const text = word.transform(
  (value) =>
    value
      ?.toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
      .trim()
      .slice(0, MAX_TEXT_LENGTH) || null,
);

const pictureLink = word.transform((value) => {
  if (value === null || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return null;
  return new URL(value).protocol === 'https:' ? value : null;
});

const throughput = z.object({ level: word }).nullish().catch(null);
const picture = z
  .object({ data: z.object({ url: pictureLink }) })
  .nullish()
  .catch(null);

/** The first field is the present name of the limit, the second the earlier one. */
const limitFields = ['whatsapp_business_manager_messaging_limit', 'messaging_limit_tier'] as const;

export const accountAnswer = z.object({
  username: text,
  name: text,
  verified_name: text,
  quality_rating: word,
  name_status: word,
  status: word,
  throughput,
  profile_picture_url: pictureLink,
  picture,
  platform_type: word,
  is_on_biz_app: z.boolean().nullish().catch(null),
  [limitFields[0]]: word,
  [limitFields[1]]: word,
});
export type AccountAnswer = z.output<typeof accountAnswer>;

export const profileAnswer = z.object({ data: z.array(z.object({ profile_picture_url: pictureLink })) });

type OfAccount = Omit<HealthReading, 'businessAccountId' | 'subscription' | 'permissions' | 'credentialExpiresAt'>;

const nothing: OfAccount = {
  quality: null,
  tier: null,
  throughput: null,
  accountStatus: null,
  nameStatus: null,
  name: null,
  username: null,
  pictureUrl: null,
};

export function readingOf(type: ChannelType, answer: AccountAnswer): OfAccount {
  const { name, username } = answer;
  switch (type) {
    case 'chatapp':
      return { ...nothing, ...numberReading(answer) };
    case 'photoapp':
      return { ...nothing, name, username, pictureUrl: answer.profile_picture_url };
    case 'pageapp':
      return { ...nothing, name, username, pictureUrl: answer.picture?.data.url ?? null };
  }
}

function numberReading(answer: AccountAnswer): Partial<OfAccount> {
  const limit = answer[limitFields[0]] ?? answer[limitFields[1]];
  const level = answer.throughput?.level ?? null;
  return {
    name: answer.verified_name,
    quality: answer.quality_rating === null ? null : qualityOf(answer.quality_rating),
    tier: limit === null ? null : tierOf(limit),
    throughput: level === null ? null : tierOf(level),
    accountStatus: numberStatusOf(answer),
    nameStatus: answer.name_status === null ? null : nameStatusOf(answer.name_status),
  };
}

function numberStatusOf(answer: AccountAnswer): HealthReading['accountStatus'] {
  if (!isRegistered(answer)) return 'not_registered';
  return answer.status === null ? null : accountStatusOf(answer.status);
}

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

const qualityOf = (word: string): QualityRating => wordOf(qualities, word) ?? 'unknown';
const accountStatusOf = (word: string): AccountStatus => wordOf(accountStatuses, word) ?? 'unknown';
const nameStatusOf = (word: string): NameStatus => wordOf(nameStatuses, word) ?? 'unknown';

function wordOf<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  const key = word.toUpperCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** `TIER_1K` becomes `1k`. Words that are not known keep their spelling in lower case. */
function tierOf(word: string): string | null {
  const name = word.toLowerCase().replace(/^tier_/, '');
  return /^[a-z0-9_]{1,40}$/.test(name) && name !== 'not_set' ? name : null;
}
