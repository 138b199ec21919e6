/**
 * When a URL is edited while deliveries wait for it, `applyPending` can keep the destination for them and put a new one
 * in its place, so that each URL has its own circuit and failure counts. `destinations.kept_for` names the one that
 * took its place. Users see both as one destination, and only what asks here can tell them apart.
 */

/** Whether new events go to the destination. */
export const receivesEventsSql = (destination: string): string =>
  `(${destination}.deleted_at is null and ${destination}.kept_for is null)`;

export const isKeptSql = (destination: string): string => `(${destination}.kept_for is not null)`;

/** The destination to which the webhook or the subscription refers. */
export const presentIdSql = (destination: string): string => `coalesce(${destination}.kept_for, ${destination}.id)`;

export const isKeptForSql = (destination: string, id: string): string => `(${destination}.kept_for = ${id})`;

/** Whether users see the destination as the one with this id. */
export const isSeenAsSql = (destination: string, id: string): string =>
  `(${destination}.id = ${id} or ${isKeptForSql(destination, id)})`;
