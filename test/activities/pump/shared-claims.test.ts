import test from 'ava';
import { type ClaimClock, createSharedClaims } from '../../../activities/pump/shared-claims.ts';
import type { HotPool } from '../../../db/core/hot-pool.ts';
import type { ClaimRequest } from '../../../db/ledger/claim.ts';
import { anItem, aWebhookDestination, claim, hotLedger } from '../../harness/deliveries/hot-ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';

function request(shard: number, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return { shard, heldIds: [], room: new Map(), defaultRoom: 100, maxRows: 512, ...more };
}

async function stage(t: Parameters<typeof hotLedger>[0], clock?: ClaimClock) {
  const ledger = await hotLedger(t);
  const { db, pool, tenant } = ledger;
  for (const shard of [0, 1, 2]) {
    const resourceId = `shard-${shard}`;
    const channel = await aChannel(db, tenant.workspace, { resourceId });
    const destination = await aWebhookDestination(ledger, channel);
    await db('destinations').where({ id: destination.id }).update({ shard });
    await acceptItems(
      pool,
      Array.from({ length: 5 }, () => anItem({ resourceId })),
    );
  }
  let statementCount = 0;
  const query = (...args: Parameters<HotPool['query']>) => {
    statementCount++;
    return pool.query(...args);
  };
  const counted = Object.create(pool, { query: { value: query } }) as HotPool;
  return { ...ledger, claims: createSharedClaims(counted, clock), statements: () => statementCount };
}

test('claims that come together share a statement and keep their own rooms', async (t) => {
  const { claims, pool, statements } = await stage(t);
  const alone = await Promise.all([0, 1, 2].map((shard) => claim(pool, { shard })));
  const [held] = alone[0]!.deliveries;
  const together = await Promise.all([
    claims.claim(request(0, { heldIds: [held!.id] })),
    claims.claim(request(1, { maxRows: 2 })),
    claims.claim(request(2, { defaultRoom: 3 })),
  ]);
  t.is(statements(), 1);
  t.deepEqual(together[0].deliveries, alone[0]!.deliveries.slice(1));
  t.deepEqual(together[1].deliveries, alone[1]!.deliveries.slice(0, 2));
  t.true(together[1].isCut);
  t.deepEqual(together[2].deliveries, alone[2]!.deliveries.slice(0, 3));
  t.false(together[2].isCut);
  t.is(together[2].fullDestinationIds.size, 1);
});

test('claims that come during statements share the next one', async (t) => {
  const { claims, statements } = await stage(t);
  const first = Promise.all([0, 1].map((shard) => claims.claim(request(shard))));
  await new Promise((resolve) => setImmediate(resolve));
  const second = claims.claim(request(2));
  await first;
  t.is((await second).deliveries.length, 5);
  t.is(statements(), 2);
});

test('a failed statement fails its claims only', async (t) => {
  const { claims } = await stage(t);
  await t.throwsAsync(claims.claim(request(0, { maxRows: NaN })));
  t.is((await claims.claim(request(0))).deliveries.length, 5);
});

test('the time between claims grows with the rate of rows', async (t) => {
  let nowMs = 100;
  const rests: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    rests.push(ms);
    nowMs += ms;
    return Promise.resolve();
  };
  const { claims } = await stage(t, { now: () => nowMs, sleep });
  await claims.claim(request(0, { maxRows: 4 }));
  nowMs += 2;
  t.is((await claims.claim(request(1))).deliveries.length, 5);
  t.deepEqual(rests, [1], 'four rows make the next claim wait for 3 ms');
  nowMs += 5;
  t.is((await claims.claim(request(2))).deliveries.length, 5);
  t.is(rests.length, 1);
});
