import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';

export interface OnboardingResult {
  readonly displayName: string;
  readonly type: ChannelType;
  readonly organizationName: string;
  /** Whether the channel was there before the attempt. */
  readonly again: boolean;
}

/** What an attempt has connected; undefined while it has not. */
export async function findOnboardingResult(db: Knex, attemptId: number): Promise<OnboardingResult | undefined> {
  const { rows } = await db.raw<{
    rows: { display_name: string; type: ChannelType; organization_name: string; again: boolean }[];
  }>(
    `select c.display_name, c.type, o.name as organization_name, c.created_at < a.created_at as again
     from onboarding_attempts a
     join onboarding_links l on l.id = a.onboarding_link_id
     join organizations o on o.id = l.organization_id
     join channels c on c.id = a.channel_id
     where a.id = ? and a.status = 'connected'`,
    [attemptId],
  );
  const [row] = rows;
  return (
    row && {
      displayName: row.display_name,
      type: row.type,
      organizationName: row.organization_name,
      again: row.again,
    }
  );
}
