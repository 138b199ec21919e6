export const namedDestinationsSql = `(
  select public_id, channel_id, destination_id from subscriptions
  union all
  select public_id, channel_id, destination_id from listeners
)`;
