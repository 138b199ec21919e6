import type { Knex } from 'knex';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { ScheduledMessageStatus, ScheduledPostStatus } from '../../contract/scheduled/scheduled.ts';
import { hashRecipient } from '../operations/recipient.ts';
import { queryRows } from '../core/query-rows.ts';
import { idempotentScopeSql, namesPersonSql, placedScopeSql, personPattern, type PersonScope } from './person-scope.ts';
import type { OutboundCallRecord } from '../operations/outbound-calls.ts';

/** Rows of tables without an index of persons, of which each statement reads a bounded part. */
export interface PersonPart<Row> {
  readonly rows: readonly Row[];
  /** Position of the next part, or undefined after the last. */
  readonly next: number | undefined;
}

export type ReadPart<Row> = (db: Knex, scope: PersonScope, after: number) => Promise<PersonPart<Row>>;

/** A statement takes tens of milliseconds. */
const WALKED_ROWS = 5_000;

export interface PersonOutboundCall extends Omit<OutboundCallRecord, 'id' | 'channelId' | 'workspaceId' | 'createdAt'> {
  readonly channelPublicId: string | null;
}

export const readOutboundCalls: ReadPart<PersonOutboundCall> = async (db, scope, after) =>
  await readPart<PersonOutboundCall>(db, {
    scope,
    after,
    table: 'outbound_calls',
    select: `select c.public_id as "channelPublicId", o.via, o.caller, o.operation, o.method, o.path, o.status, o.error,
        o.duration_ms as "durationMs", o.request_id as "requestId", o.caller_request_id as "callerRequestId",
        o.platform_request_id as "platformRequestId",
        o.started_at as "startedAt"
      from outbound_calls o left join channels c on c.id = o.channel_id
      where ${namesPersonSql('o.path')} and ${placedScopeSql}`,
  });

export interface PersonKeptAnswer {
  readonly channelPublicId: string;
  readonly operation: string;
  readonly answer: unknown;
  readonly createdAt: Date;
}

export const readKeptAnswers: ReadPart<PersonKeptAnswer> = async (db, scope, after) =>
  await readPart<PersonKeptAnswer>(db, {
    scope,
    after,
    table: 'idempotent_calls',
    select: `select c.public_id as "channelPublicId", o.operation, o.answer, o.created_at as "createdAt"
      from idempotent_calls o, channels c where ${idempotentScopeSql} and ${namesPersonSql('o.answer::text')}`,
  });

export interface PersonContainer {
  readonly channelPublicId: string;
  readonly containerPublicId: string;
  readonly status: ContainerStatus;
  readonly request: ContainerInput;
  readonly createdAt: Date;
}

export const readContainers: ReadPart<PersonContainer> = async (db, scope, after) =>
  await readPart<PersonContainer>(db, {
    scope,
    after,
    table: 'media_containers',
    select: `select c.public_id as "channelPublicId", o.public_id as "containerPublicId", o.status, o.request,
        o.created_at as "createdAt"
      from media_containers o join channels c on c.id = o.channel_id
      where ${namesPersonSql('o.request::text')} and ${placedScopeSql}`,
  });

export interface PersonScheduledMessage {
  readonly channelPublicId: string;
  readonly publicId: string;
  readonly status: ScheduledMessageStatus;
  readonly sendAt: Date;
  readonly messageEncrypted: string | null;
  readonly createdAt: Date;
}

export const readScheduledMessages: ReadPart<PersonScheduledMessage> = async (db, scope, after) =>
  await readPart<PersonScheduledMessage>(db, {
    scope,
    after,
    table: 'scheduled',
    select: `select c.public_id as "channelPublicId", o.public_id as "publicId", o.status, o.due_at as "sendAt",
        o.message_encrypted as "messageEncrypted", o.created_at as "createdAt"
      from scheduled o join channels c on c.id = o.channel_id
      where (o.recipient_hash = any (cast(:recipientHashes as bytea[]))
          or o.other_recipient_hash = any (cast(:recipientHashes as bytea[])))
        and ${placedScopeSql}`,
  });

export interface PersonScheduledPost {
  readonly channelPublicId: string;
  readonly publicId: string;
  readonly status: ScheduledPostStatus;
  readonly publishAt: Date;
  readonly input: ContainerInput;
  readonly createdAt: Date;
}

/** Posts that failed or were cancelled have no content. */
export const readScheduledPosts: ReadPart<PersonScheduledPost> = async (db, scope, after) =>
  await readPart<PersonScheduledPost>(db, {
    scope,
    after,
    table: 'scheduled',
    select: `select c.public_id as "channelPublicId", o.public_id as "publicId", o.status, o.due_at as "publishAt",
        o.input, o.created_at as "createdAt"
      from scheduled o join channels c on c.id = o.channel_id
      where o.kind = 'post' and ${namesPersonSql('o.input::text')} and ${placedScopeSql}`,
  });

interface Part {
  readonly scope: PersonScope;
  readonly after: number;
  readonly table: 'outbound_calls' | 'idempotent_calls' | 'media_containers' | 'scheduled';
  readonly select: string;
}

async function readPart<Row>(db: Knex, { scope, after, table, select }: Part): Promise<PersonPart<Row>> {
  const [part] = await queryRows<{ count: number; last: number }>(
    db,
    `select count(*)::int as count, coalesce(max(id), 0)::bigint as last
     from (select id from ${table} where id > :after order by id limit :limit) part`,
    { after, limit: WALKED_ROWS },
  );
  const { count, last } = part!;
  const { sender: _sender, personIds, ...place } = scope;
  const person = { personPattern: personPattern(personIds), recipientHashes: personIds.map(hashRecipient) };
  const bindings = { ...place, ...person, after, last };
  const rows = await queryRows<Row>(db, `${select} and o.id > :after and o.id <= :last order by o.id`, bindings);
  return { rows, next: count < WALKED_ROWS ? undefined : last };
}
