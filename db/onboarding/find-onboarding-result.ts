import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ChannelType } from '../../contract/event-types.ts';
import { OnboardingAttemptModel } from '../models/onboarding.ts';

export interface OnboardingResult {
  readonly displayName: string;
  readonly type: ChannelType;
  readonly channelPublicId: string;
  readonly organizationName: string;
  /** True if the channel existed before the attempt. */
  readonly again: boolean;
}

export async function findOnboardingResult(db: Knex, attemptId: number): Promise<OnboardingResult | undefined> {
  return await OnboardingAttemptModel.query(db)
    .joinRelated('[link.organization, channel]')
    .select(
      'channel.display_name',
      'channel.type',
      'channel.public_id as channel_public_id',
      'link:organization.name as organization_name',
    )
    .select(raw('channel.created_at < onboarding_attempts.created_at as again'))
    .findOne({ 'onboarding_attempts.id': attemptId, 'onboarding_attempts.status': 'connected' })
    .castTo<OnboardingResult | undefined>();
}
