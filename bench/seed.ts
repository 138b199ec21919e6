import type { Knex } from 'knex';
import { insertChannel } from '../db/channels.ts';
import { insertCredential } from '../db/connection-credentials.ts';
import { insertDestination } from '../db/destinations.ts';
import { insertOrganization } from '../db/organizations.ts';
import type { SecretBox } from '../db/secrets.ts';
import { insertWorkspace } from '../db/workspaces.ts';

export interface SeedChannels {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly count: number;
  readonly destinationUrl: (number: number) => string;
}

export interface SeededChannel {
  readonly resourceId: string;
  readonly destinationId: number;
}

const CONCURRENT = 8;
const FIRST_RESOURCE_ID = 100_000_000_000_000;
let nextResourceId = FIRST_RESOURCE_ID;

/** Connects channels with a webhook each, every one in a workspace of its own. */
export async function seedChannels({ db, secretBox, count, destinationUrl }: SeedChannels): Promise<SeededChannel[]> {
  const organization = await insertOrganization(db, { name: 'Bench' });
  const channels: SeededChannel[] = [];
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const seedSome = async (): Promise<void> => {
    for (const number of numbers) {
      const workspace = await insertWorkspace(db, {
        organizationId: organization.id,
        name: `Bench ${number}`,
        kind: 'team',
      });
      const credential = await insertCredential(db, secretBox, { workspaceId: workspace.id, token: 'bench' });
      const resourceId = String(nextResourceId++);
      const channel = await insertChannel(db, secretBox, {
        workspaceId: workspace.id,
        credentialId: credential.id,
        type: 'chatapp',
        resourceId,
        displayName: `Bench ${number}`,
        connectionType: 'manual',
      });
      const url = destinationUrl(number);
      const destinationId = await insertDestination(db, { channelId: channel.id, type: 'webhook', url });
      channels.push({ resourceId, destinationId });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, seedSome));
  return channels;
}
