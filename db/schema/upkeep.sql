create table retention_sweeps (
  task text primary key,
  ended_at timestamptz not null,
  created_at timestamptz not null default now()
);
insert into retention_sweeps (task, ended_at) values ('event_key_generation', now());
comment on table retention_sweeps is 'when each task of the retention was last completed';

create table invariant_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null unique,
  ended_at timestamptz not null,
  event_count bigint not null,
  delivery_count bigint not null,
  violations jsonb not null,
  created_at timestamptz not null default now(),
  constraint "a run of the invariants ends after it began" check (ended_at >= started_at)
);
comment on table invariant_runs is 'checks of what must be true of the ledger';
comment on column invariant_runs.violations is 'by rule: how many rows break it, and the ids of a few';
