create table workflow_starts (
  id bigint generated always as identity primary key,
  type text not null,
  subject_id text not null,
  due_at timestamptz not null default now()
);
create index workflow_starts_due on workflow_starts (due_at);
create index workflow_starts_by_subject on workflow_starts (subject_id, type);
comment on table workflow_starts is
  'workflows that must be started for rows of the same transaction; deleted once they are started';
comment on column workflow_starts.subject_id is 'the public id of the row that the workflow works on';
comment on column workflow_starts.due_at is 'moved by a claim, so that a start that failed is due again';

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
