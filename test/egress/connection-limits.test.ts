import test from 'ava';
import { createPermit } from '../../egress/permit.ts';
import { httpServer, loopbackEgress, post } from './test-server.ts';

const GROUPS = 12;
const limits = { maxConnectionsPerGroup: 3, maxConnectionsPerWorkspace: 8, maxConnections: 16 };

/** A linear congruential generator, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`limits hold and every request settles, seed ${seed}`, async (t) => {
    const random = randomOf(seed);
    const under = { group: new Map<string, number>(), workspace: new Map<string, number>(), all: new Map() };
    const exceeded: string[] = [];
    const enter = (counts: Map<string, number>, key: string, max: number) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (counts.get(key)! > max) exceeded.push(key);
    };
    const leave = (counts: Map<string, number>, key: string) => counts.set(key, counts.get(key)! - 1);
    const server = await httpServer(t, (request, response) => {
      const [, workspace = '', group = '', answer] = request.url!.split('/');
      enter(under.group, group, limits.maxConnectionsPerGroup);
      enter(under.workspace, workspace, limits.maxConnectionsPerWorkspace);
      enter(under.all, '', limits.maxConnections);
      const finish = () => {
        leave(under.group, group);
        leave(under.workspace, workspace);
        leave(under.all, '');
        if (answer === 'reset') request.socket.destroy();
        else response.end();
      };
      if (random(2) === 0) setImmediate(finish);
      else setTimeout(finish, random(8));
    });
    const egress = loopbackEgress(t, { ...limits, timeoutMs: 60_000 });

    const sent = Array.from({ length: 600 }, () => {
      const group = random(GROUPS);
      const workspaceId = `${group % 3}`;
      const url = new URL(`/${workspaceId}/${group}/${random(20) === 0 ? 'reset' : 'ok'}`, server.url).href;
      const isLate = random(10) === 0;
      const permit = createPermit(() => true);
      const result = egress.send(post(url, { group, workspaceId, permit, maxWaitMs: isLate ? random(5) : undefined }));
      if (random(10) === 0) setTimeout(() => permit.withdraw(), random(30));
      return result;
    });
    const results = await Promise.all(sent);

    t.deepEqual(exceeded, []);
    t.true(results.some(({ outcome }) => outcome === 'not_sent'));
    t.true(results.filter(({ outcome }) => outcome === 'answered').length > 300);
    t.like(egress.stats(), { waiting: 0, oldestWaitMs: 0 });
    t.true(egress.stats().idle + egress.stats().inUse <= limits.maxConnections);
  });
}
