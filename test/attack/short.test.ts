import test, { type ExecutionContext } from 'ava';
import { createRateLimits } from '../../api/requests/rate-limits.ts';
import { createPlatformEvents } from '../../api/ingest/platform-events.ts';
import { channelToken, page, startStage } from '../gateway/stage.ts';
import { testApi } from '../harness/api/api.ts';
import { testHotPool } from '../harness/database/hot-pool.ts';
import { codesByMail } from '../harness/people/email-codes.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { addresses } from './classes/addresses.ts';
import type { AttackClass } from './cases/attack-case.ts';
import { connections } from './classes/connections.ts';
import { gateway } from './classes/gateway.ts';
import { harnessWorld } from './worlds/harness-world.ts';
import { ingest } from './classes/ingest.ts';
import { matrix } from './classes/matrix.ts';
import { parsers } from './classes/parsers.ts';
import { letThroughCount, reportText } from './cases/report.ts';
import { runAttack } from './cases/run-attack.ts';
import { signIn } from './classes/sign-in.ts';
import type { World } from './cases/world.ts';

/**
 * Runs a fixed sample of each class against an API and a gateway in this process. Cases that wait for timeouts run only
 * in `npm run attack`.
 */
const SEED = 13;
/** Tolerates a busy machine. A process that an input blocks takes minutes. */
const PATIENCE = 6;

interface Short {
  readonly classes: readonly AttackClass[];
  readonly casesPerClass: number;
}

async function nothingIsLetThrough(
  t: ExecutionContext,
  world: World,
  { classes, casesPerClass }: Short,
): Promise<void> {
  t.timeout(10 * 60_000);
  const patient = { ...world, patience: PATIENCE };
  const report = await runAttack({ world: patient, classes, seed: SEED, casesPerClass, say: (text) => t.log(text) });
  t.true(report.rows.every(({ tried }) => tried > 0));
  t.is(letThroughCount(report), 0, reportText(report));
}

async function apiWorld(t: ExecutionContext): Promise<World> {
  const codes = await codesByMail(t);
  const numbers = { perCredential: 1_000_000, perAddress: 1_000_000, failuresPerAddress: 60 };
  const { db, url } = await testApi(t, { starts: codes.temporal, rateLimits: createRateLimits(numbers) });
  return { ...(await harnessWorld(db, url)), mailInboxUrl: codes.inbox.url };
}

async function gatewayWorld(t: ExecutionContext): Promise<World> {
  const { url } = await startStage(t);
  const nobody = { organizationId: '', workspaceId: '', channelId: '', id: () => '', marks: [] };
  const held = { token: channelToken, resourceId: page.resourceId };
  const none = { credentials: [], apiKey: 'hmok_none', own: nobody, victim: nobody, allowedCidrs: [] };
  return { baseUrl: url, gatewayUrl: url, held, foreignResourceId: '9000', ...none };
}

test.serial('no credential reaches what is not its own', async (t) => {
  await nothingIsLetThrough(t, await apiWorld(t), { classes: [matrix], casesPerClass: 600 });
});

test.serial('no destination may have a forbidden address', async (t) => {
  await nothingIsLetThrough(t, await apiWorld(t), { classes: [addresses], casesPerClass: 250 });
});

test.serial('no forged, guessed or stolen sign-in is accepted', async (t) => {
  await nothingIsLetThrough(t, await apiWorld(t), { classes: [signIn], casesPerClass: 250 });
});

test.serial('no input makes the API fail or stall', async (t) => {
  await nothingIsLetThrough(t, await apiWorld(t), { classes: [parsers], casesPerClass: 150 });
});

test.serial('no channel token reaches beyond its channel', async (t) => {
  await nothingIsLetThrough(t, await gatewayWorld(t), { classes: [gateway], casesPerClass: 500 });
});

const isQuick = (name: string): boolean => !/never ends|no credential to/.test(name);

function only({ cases, ...one }: AttackClass, isWanted: (name: string) => boolean): AttackClass {
  return { ...one, cases: async (world) => (await cases(world)).filter(({ name }) => isWanted(name)) };
}

test.serial('no body or framing poisons a connection', async (t) => {
  const classes = [only(connections, (name) => name.startsWith('gateway') && isQuick(name))];
  await nothingIsLetThrough(t, await gatewayWorld(t), { classes, casesPerClass: 30 });
});

test.serial('no event makes ingest fail', async (t) => {
  const log = rememberingLog();
  const platformSecret = 'attack secret';
  const { db, databaseUrl } = await testApi(t);
  const pool = testHotPool(t, databaseUrl);
  const events = createPlatformEvents({ pool, log });
  const { url } = await testApi(t, { ingest: { events, appSecrets: [platformSecret], verifyToken: 'handshake' } });
  const world = { ...(await harnessWorld(db, url)), platformSecret };
  const classes = [only(ingest, (name) => !/8,000|4 MiB/.test(name))];
  await nothingIsLetThrough(t, world, { classes, casesPerClass: 60 });
});

test.serial('no parameter makes the gateway fail or stall', async (t) => {
  const classes = [only(parsers, (name) => / in (?:the query|a form|JSON): (?:10000|100000) /.test(name))];
  await nothingIsLetThrough(t, await gatewayWorld(t), { classes, casesPerClass: 120 });
});
