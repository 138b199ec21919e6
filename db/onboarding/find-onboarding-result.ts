import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ChannelType } from '../../contract/event-types.ts';
import { isUnregistered } from '../channels/registration.ts';
import { OnboardingAttemptModel } from '../models/onboarding.ts';

export interface OnboardingResult {
  readonly displayName: string;
  readonly type: ChannelType;
  readonly channelId: number;
  readonly channelPublicId: string;
  readonly workspaceId: number;
  /** True if the channel existed before the attempt. */
  readonly again: boolean;
  /** True for a number that receives nothing until it is registered. */
  readonly isUnregistered: boolean;
}

export async function findOnboardingResult(db: Knex, attemptId: number): Promise<OnboardingResult | undefined> {
  const result = await OnboardingAttemptModel.query(db)
    .joinRelated('channel')
    .select('channel.display_name', 'channel.type', 'channel.public_id as channel_public_id', 'channel.workspace_id')
    .select('channel.id as channel_id', raw('channel.created_at < onboarding_attempts.created_at as again'))
    .findOne({ 'onboarding_attempts.id': attemptId, 'onboarding_attempts.status': 'connected' })
    .castTo<Omit<OnboardingResult, 'isUnregistered'> | undefined>();
  return result && { ...result, isUnregistered: await isUnregistered(db, result.channelId) };
}
