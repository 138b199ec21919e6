import { z } from 'zod';
import type { PhotoAccountBody } from '../../openapi/operations/photoapp-account-schema.ts';
import type { AccountClient } from './account-client.ts';
import { count, id, link, text } from './answer-fields.ts';

const account = z.object({
  id,
  username: text,
  name: text,
  biography: text,
  website: text,
  profile_picture_url: link,
  followers_count: count,
  follows_count: count,
  media_count: count,
});
const ACCOUNT_FIELDS =
  'id,username,name,biography,website,profile_picture_url,followers_count,follows_count,media_count';

export async function readPhotoAccount(
  client: AccountClient,
  { withQuota }: { readonly withQuota: boolean },
): Promise<PhotoAccountBody> {
  const found = await client.read(account, { path: [client.resourceId], query: { fields: ACCOUNT_FIELDS } });
  return {
    accountId: found.id,
    username: found.username,
    name: found.name,
    biography: found.biography,
    website: found.website,
    profilePictureUrl: found.profile_picture_url,
    followerCount: found.followers_count,
    followingCount: found.follows_count,
    mediaCount: found.media_count,
    quota: withQuota ? await readQuota(client) : null,
  };
}

const usage = z.object({
  quota_usage: z.int(),
  config: z.object({ quota_total: z.int(), quota_duration: count }),
});

async function readQuota(client: AccountClient): Promise<PhotoAccountBody['quota']> {
  const path = [client.resourceId, 'content_publishing_limit'];
  const { data } = await client.read(z.object({ data: z.array(z.unknown()) }), {
    path,
    query: { fields: 'config,quota_usage' },
  });
  const result = usage.safeParse(data[0]);
  if (!result.success) return null;
  const { quota_usage: used, config } = result.data;
  return { used, total: config.quota_total, durationSeconds: config.quota_duration };
}
