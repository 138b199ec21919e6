/** What of destinations has an id on the wire, with the number of the destination behind it. */
export const namedDestinationsSql = `(
  select public_id, channel_id, destination_id from subscriptions
  union all
  select public_id, channel_id, destination_id from listeners
)`;
