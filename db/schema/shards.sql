-- Which worker serves which shard of the deliveries (docs/adr/0022).

create table workers (
  holder text primary key,
  roles text[] not null constraint "a worker has a role" check (roles <> '{}' and roles <@ '{pump,main}'),
  offers_address text,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
comment on column workers.offers_address is
  'host and port at which API processes offer deliveries that they have accepted; null: the worker takes none';
comment on table workers is
  'worker processes; the shards are shared among those of the role pump seen within the lease time, whose leases are valid';

-- Apart from `workers`, whose rows are candidates for shards.
create table worker_builds (
  holder text primary key,
  build_id text not null,
  seen_at timestamptz not null default clock_timestamp()
);
comment on table worker_builds is
  'live workers with the role main and the build whose workflows they run; the newest live build becomes current in Temporal';

create table shard_leases (
  shard smallint primary key,
  holder text not null,
  fence bigint not null,
  acquired_at timestamptz,
  released_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table shard_leases is
  'which worker serves a shard; valid while the worker is live; writes that are not a 2xx are conditional on the fence';
comment on column shard_leases.acquired_at is 'when the current holder acquired the lease';
comment on column shard_leases.released_at is 'set when the holder releases the lease, which then has none';

create table leader_leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table leader_leases is 'tasks that one worker does for the whole installation';

create table handed_over_deliveries (
  delivery_id bigint primary key,
  shard smallint not null,
  fence bigint not null,
  destination_id bigint not null,
  conversation_key bigint not null,
  until_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index handed_over_deliveries_by_shard on handed_over_deliveries (shard);
comment on table handed_over_deliveries is
  'requests in flight when a pump released its lease: the next pump skips them until they are settled or overdue';
comment on column handed_over_deliveries.fence is
  'of the pump that sent the request; its failure is accepted under this fence';
