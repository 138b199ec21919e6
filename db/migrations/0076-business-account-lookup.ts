import { concurrentIndex } from './concurrent-index.ts';

/** Finds the channels of a business account, which the platform's notices name. */
export const businessAccountLookup = concurrentIndex({
  name: 'channel_health_by_business_account',
  on: 'channel_health (business_account_id) where business_account_id is not null',
});
