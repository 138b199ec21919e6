import type { Knex } from 'knex';
import { insertChannel } from '../../db/channels/channels.ts';
import { insertCredential } from '../../db/channels/credentials.ts';
import { insertDestination } from '../../db/ledger/destinations/destinations.ts';
import { insertOrganization } from '../../db/organizations/organizations.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import { insertWorkspace } from '../../db/organizations/workspaces.ts';

export interface SeedChannels {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly count: number;
  readonly destinationUrl: (number: number) => string;
}

export interface SeededChannel {
  readonly id: number;
  readonly workspaceId: number;
  readonly resourceId: string;
  readonly destinationId: number;
}

/** A commit per channel would take minutes for ten thousand. */
const CHANNELS_PER_TRANSACTION = 500;
const FIRST_RESOURCE_ID = 100_000_000_000_000;
let nextResourceId = FIRST_RESOURCE_ID;

export async function seedChannels({ db, count, ...seed }: SeedChannels): Promise<SeededChannel[]> {
  const organization = await insertOrganization(db, { name: 'Bench' });
  const channels: SeededChannel[] = [];
  while (channels.length < count) {
    const end = Math.min(channels.length + CHANNELS_PER_TRANSACTION, count);
    await db.transaction(async (trx) => {
      while (channels.length < end) {
        channels.push(
          await seedChannel({ ...seed, db: trx, organizationId: organization.id, number: channels.length }),
        );
      }
    });
  }
  return channels;
}

interface SeedChannel extends Omit<SeedChannels, 'count'> {
  readonly organizationId: number;
  readonly number: number;
}

async function seedChannel({ db, secretBox, destinationUrl, ...seed }: SeedChannel): Promise<SeededChannel> {
  const name = `Bench ${seed.number}`;
  const workspace = await insertWorkspace(db, { organizationId: seed.organizationId, name, kind: 'team' });
  const credential = await insertCredential(db, secretBox, { workspaceId: workspace.id, token: 'bench' });
  const resourceId = String(nextResourceId++);
  const channel = await insertChannel(db, secretBox, {
    workspaceId: workspace.id,
    credentialId: credential.id,
    type: 'chatapp',
    resourceId,
    displayName: name,
    connectionType: 'manual',
  });
  const url = destinationUrl(seed.number);
  const destinationId = await insertDestination(db, { channelId: channel.id, type: 'webhook', url });
  return { id: channel.id, workspaceId: workspace.id, resourceId, destinationId };
}

/** Returns the channels of an earlier run, whose destinations get this run's URLs. */
export async function keptChannels({
  db,
  destinationUrl,
}: Pick<SeedChannels, 'db' | 'destinationUrl'>): Promise<SeededChannel[]> {
  const channels = await db('channels as c')
    .join('destinations as d', 'd.channel_id', 'c.id')
    .select<SeededChannel[]>({ id: 'c.id', workspaceId: 'c.workspace_id', resourceId: 'c.resource_id' })
    .select({ destinationId: 'd.id' })
    .orderBy('c.id');
  for (const [number, { destinationId }] of channels.entries()) {
    await db('destinations')
      .where({ id: destinationId })
      .update({ url: destinationUrl(number) });
  }
  return channels;
}
