import { join } from 'node:path';
import test from 'ava';
import { webhookStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { runs } from '../../dev/release/installed-packages.ts';
import { generateClient } from './generated-client.ts';

const program = join(import.meta.dirname, 'use_client.py');

test('a Python program uses the client that is generated from the document', async (t) => {
  t.timeout(600_000);
  const { python, printed } = await generateClient(t);
  t.notRegex(printed, /warning/i);

  const { db, url, tenant, channel, destinationId } = await webhookStage(t);
  const exhausted = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted', attemptCount: 3 });
  const delivered = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', attemptCount: 1 });
  const skipped = await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' });
  const given = {
    baseUrl: url,
    apiKey: tenant.apiKey,
    organizationId: tenant.organization.publicId,
    workspaceId: tenant.workspace.publicId,
    exhausted: exhausted.publicId,
    delivered: delivered.publicId,
  };
  const env = { ...process.env, GIVEN: JSON.stringify(given) };
  const received = JSON.parse(await runs(python, [program], { cwd: import.meta.dirname, env }));

  t.is(received.workspace.name, 'From Python');
  t.is((await db('workspaces').where({ public_id: received.workspace.id }).first()).name, 'From Python');
  t.deepEqual(received.channels.map(({ id }: { id: string }) => id), [channel.publicId]); // prettier-ignore
  t.deepEqual(received.pages.map((page: string[]) => page.length), [2, 1]); // prettier-ignore
  t.deepEqual(received.pages.flat().sort(), [exhausted, delivered, skipped].map(({ publicId }) => publicId).sort());
  t.like(received.unknown, { status: 404, code: 'CHANNEL_NOT_FOUND' });
  t.regex(received.unknown.requestId, /^req_/);
  t.like(received.retried, { statusCode: 202, deliveryId: exhausted.publicId });
  t.is((await db('deliveries').where({ id: exhausted.id }).first()).status, 'pending');
  t.like(received.refused, { status: 409, code: 'DELIVERY_ALREADY_DELIVERED' });
});
