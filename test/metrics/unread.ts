const away = () => Promise.reject(new Error('away'));

/** Sources of `addStateMetrics` that can't be read. */
export const unread = {
  backlog: away,
  database: away,
  invariants: away,
  shards: away,
  upkeep: away,
  idleMs: () => undefined,
};
