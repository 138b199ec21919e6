import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readInstallation } from '../../db/core/installation.ts';
import { insertApiKey } from '../../db/organizations/api-keys.ts';
import { measure, type Measured } from '../figures/figures.ts';
import type { Row } from '../figures/row.ts';
import { webhookUrls } from '../system/busy.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';

/** Longer than every loop of the worker that does not wait for something, so that an idle run contains them all. */
const IDLE_MS = 15_000;
const root = join(import.meta.dirname, '../..');

/**
 * Counts by the coverage of V8: the files with a function that is called in both runs with the act and in no idle run.
 * Workflow code runs in a sandbox, which V8 does not report by file.
 */
export const files: Row = {
  title: 'source files that run for one event and for one save of a webhook',
  async measure({ system, say }) {
    const [channel, bare] = await seedChannels({ ...system, count: 2, destinationUrl: webhookUrls(system) });
    const resourceIds = [channel!.resourceId];
    // A seeded destination belongs to no configuration of a webhook, and a channel has one webhook.
    await system.db('destinations').where({ id: bare!.destinationId }).delete();
    const idle = new Set<string>();
    for (const one of await calledTwice(system, () => Promise.resolve())) for (const called of one) idle.add(called);
    const run: Measured[] = [];
    const notes: string[] = [];
    const acts = [
      { name: 'healthy event', most: 55, act: () => sendBurst(system, { resourceIds, count: 1, connections: 1 }) },
      { name: "save of a channel's webhook", most: 45, act: await webhookSave(system, bare!.id) },
    ];
    for (const { name, most, act } of acts) {
      const [called, again] = await calledTwice(system, act);
      const acting = [...called].filter((one) => again.has(one) && !idle.has(one));
      const paths = new Set(acting.map((one) => one.split(' ')[0]!));
      const figure = measure(`files that run for one ${name}`, [paths.size, ''], { atMost: most });
      run.push(figure);
      say(`${paths.size} ${figure.name}`);
      notes.push(`${figure.name}: ${[...paths].sort().join(' ')}`);
    }
    return { runs: [run], notes };
  },
};

/** Periodic work happens in some runs only. */
async function calledTwice(system: System, act: () => Promise<unknown>) {
  return [await calledFunctions(system, act), await calledFunctions(system, act)] as const;
}

/** Returns `path function@offset` of each function that API and worker called, also to start and to stop. */
async function calledFunctions(system: System, act: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const folder = await mkdtemp(join(system.folder, 'coverage-'));
  const env = { NODE_V8_COVERAGE: folder };
  const processes = [await system.startWorker({ env }), await system.startApi({ env })];
  await act();
  await sleep(IDLE_MS);
  for (const one of processes) await one.stop();
  const called = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      if (!url.startsWith('file:') || url.includes('node_modules')) continue;
      const path = relative(root, fileURLToPath(url));
      const named = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
      for (const { functionName, ranges } of named) called.add(`${path} ${functionName}@${ranges[0]!.startOffset}`);
    }
  }
  return called;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

async function webhookSave(system: System, channelId: number): Promise<() => Promise<void>> {
  const { db, secretBox } = system;
  const { publicId, organizationId, workspaceId } = await db('channels as c')
    .join('workspaces as w', 'w.id', 'c.workspace_id')
    .where({ 'c.id': channelId })
    .first({ publicId: 'c.public_id', organizationId: 'w.organization_id', workspaceId: 'w.public_id' });
  const { tokenSalt } = await readInstallation(db);
  const [user] = await db('users').insert({ public_id: 'usr_Bench000', email: 'bench@example.com' }).returning('id');
  const key = { organizationId, userId: user.id, name: 'Bench', scopes: null };
  const { token } = await insertApiKey(db, { secretBox, tokenSalt }, key);
  return async () => {
    const url = new URL(`/webhook-config/${publicId}`, system.webhookUrl);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-workspace-id': workspaceId,
    };
    const body = JSON.stringify({ webhookUrl: `${system.sinkUrl}/saved` });
    const response = await fetch(url, { method: 'PUT', headers, body });
    if (!response.ok) throw new Error(`The webhook was not saved: ${await response.text()}`);
  };
}
