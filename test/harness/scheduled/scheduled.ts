import type { Knex } from 'knex';
import {
  endedScheduledStatuses,
  type ScheduledKind,
  type ScheduledStatus,
} from '../../../contract/scheduled/scheduled.ts';
import {
  insertScheduled,
  loadScheduled,
  type NewScheduled,
  type ScheduledRecord,
} from '../../../db/scheduled/records.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { testAudit } from '../audit.ts';
import { imageBody } from '../containers/containers.ts';
import { type TestChannel, testSecretBox } from '../tenants.ts';

export interface SamplePlace {
  readonly channel: TestChannel;
  readonly workspace: { readonly id: number };
}

export interface SampleScheduled extends SamplePlace {
  readonly status?: ScheduledStatus;
  /** Optional. Default: a second ago. */
  readonly dueAt?: Date;
  /** Optional. Default: a key. */
  readonly createdBy?: string;
  /** Optional. Default: a text, or an image. */
  readonly content?: object;
}

const contents = { message: { to: '15551230001', text: 'Hello' }, post: imageBody };

/** What a request stores. */
export function newScheduled(kind: ScheduledKind, sample: Omit<SampleScheduled, 'status'>): NewScheduled {
  const { channel, workspace, dueAt = new Date(Date.now() - 1_000), createdBy = 'key_00000001' } = sample;
  const { content = contents[kind] } = sample;
  return {
    channelId: channel.id,
    workspaceId: workspace.id,
    createdBy,
    dueAt,
    keyHash: null,
    audit: testAudit,
    ...(kind === 'message' ? { kind, content } : { kind, content: containerInput.parse(content) }),
    requestHash: Buffer.alloc(32, 'a'),
  };
}

export async function aScheduled(
  db: Knex,
  kind: ScheduledKind,
  { status = 'scheduled', ...sample }: SampleScheduled,
): Promise<ScheduledRecord> {
  const inserted = await insertScheduled(db, testSecretBox, newScheduled(kind, sample));
  if (!('publicId' in inserted)) throw new Error(inserted.outcome);
  const { publicId } = inserted;
  await db('scheduled')
    .where({ public_id: publicId })
    .update({
      status,
      ...(status === 'started' && { container_public_id: 'ctr_00000000' }),
      ...(endedScheduledStatuses.includes(status) && { ended_at: new Date(), message_encrypted: null, input: null }),
    });
  return await readScheduled(db, { publicId });
}

export const aScheduledMessage = async (db: Knex, sample: SampleScheduled) => await aScheduled(db, 'message', sample);
export const aScheduledPost = async (db: Knex, sample: SampleScheduled) => await aScheduled(db, 'post', sample);

export async function readScheduled(db: Knex, { publicId }: { readonly publicId: string }): Promise<ScheduledRecord> {
  const scheduled = await loadScheduled(db, publicId);
  if (!scheduled) throw new Error(`No ${publicId}`);
  return scheduled;
}
