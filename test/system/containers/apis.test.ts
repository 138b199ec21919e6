import test, { type ExecutionContext } from 'ava';
import { keyHash, requestHash } from '../../../api/routing/request-hash.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { insertContainer } from '../../../db/containers/containers.ts';
import { image, photoAccount } from '../../harness/system/photo-account.ts';
import { startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const REPEATS = 20;
/** Longer than the kill takes. The test releases the answers afterwards. */
const HELD_MS = 25_000;

test('an Idempotency-Key creates one container across two API processes', async (t) => {
  const system = await startSystem(t, { apis: 2, env: { CONTAINER_POLL_SECONDS: '0.5' } });
  system.platform.media.control({ processing: { imageMs: 300 } });
  await Promise.all([manyAtOnce(t, system), storedAndNotStarted(t, system)]);
  await killedInFlight(t, system);
});

async function manyAtOnce(t: ExecutionContext, system: System): Promise<void> {
  const account = await photoAccount(system);
  const answers = await Promise.all(
    Array.from({ length: REPEATS }, (_, index) => account.createUntilDecided(image, system.apiClients[index % 2])),
  );
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  t.is(new Set(answers.map(({ body }) => body.containerId)).size, 1);
  t.is(account.calls('create').length, 1);
  const other = await account.create({ ...image, caption: 'Another' });
  t.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_KEY_REUSED']);

  const { containerId } = answers[0]!.body;
  await account.reaches(containerId, 'finished');
  const published = await Promise.all(
    Array.from({ length: REPEATS }, (_, index) =>
      account.publishUntilDecided(containerId, system.apiClients[index % 2]),
    ),
  );
  t.deepEqual(new Set(published.map(({ status }) => status)), new Set([200]));
  t.deepEqual(new Set(published.map(({ body }) => body.mediaId)), new Set(account.posts().map(({ id }) => id)));
  t.is(account.calls('publish').length, 1);
}

async function storedAndNotStarted(t: ExecutionContext, system: System): Promise<void> {
  const account = await photoAccount(system);
  const request = containerInput.parse(image);
  const { container } = await insertContainer(system.db, {
    channelId: account.id,
    workspaceId: system.tenant.workspace.id,
    request,
    requestHash: requestHash(request),
    idempotency: { keyHash: keyHash(account.key()) },
  });
  const repeated = await account.createUntilDecided(image, system.apiClients[1]);
  t.is(repeated.status, 201, JSON.stringify(repeated.body));
  t.is(repeated.body.containerId, container.publicId);
  t.is(account.calls('create').length, 1);
}

async function killedInFlight(t: ExecutionContext, system: System): Promise<void> {
  const [creating, publishing] = await Promise.all([photoAccount(system), photoAccount(system)]);
  const other = system.apiClients[1]!;
  const made = (await publishing.createUntilDecided(image)).body.containerId;
  await publishing.reaches(made, 'finished');
  system.platform.media.control({
    faults: [
      { at: 'create', match: { account: creating.resourceId }, delayMs: HELD_MS },
      { at: 'publish', match: { account: publishing.resourceId }, delayMs: HELD_MS, afterEffect: true },
    ],
  });
  const inFlight = [creating.create(image), publishing.publish(made)].map((call) => call.catch(() => 'cut off'));
  await until(() => creating.calls('create').length === 1 && publishing.calls('publish').length === 1, {
    for: 'The calls of both',
  });
  await system.apis[0]!.kill9();
  t.deepEqual(await Promise.all(inFlight), ['cut off', 'cut off']);
  system.platform.media.release();

  const created = await creating.createUntilDecided(image, other);
  t.is(created.status, 201, JSON.stringify(created.body));
  t.is(created.body.containerId, await creating.containerId());
  const published = await publishing.publishUntilDecided(made, other);
  t.is(published.status, 200, JSON.stringify(published.body));
  t.is(published.body.mediaId, publishing.posts()[0]!.id);
  t.is(creating.calls('create').length, 1);
  t.is(publishing.calls('publish').length, 1);
}
