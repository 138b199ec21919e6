import { setTimeout as sleep } from 'node:timers/promises';
import { idPrefixes } from '../../../contract/ids.ts';
import { routes } from '../../../openapi/route-table.ts';
import type { RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { expectedRefusal, type Place } from '../../harness/access/access-expectation.ts';
import type { Credential, GuardedRoute } from '../../harness/access/credentials.ts';
import { sampleOf } from '../../harness/api/schema-sample.ts';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { type Answer, call, type CallOptions } from '../cases/http-call.ts';
import { refusalProblem } from '../cases/response-problems.ts';
import type { AttackedTenant, World } from '../cases/world.ts';

/** An unknown query parameter makes each permitted call fail without effect, because access is checked first. */
const PROBE = '?noRouteKnowsThis=1';
/** A rate limit says nothing about access, so the attempt waits for it. */
const LIMIT_PATIENCE_MS = 150_000;
const LONGEST_WAIT_SECONDS = 61;

export const matrix: AttackClass = {
  name: 'matrix',
  concurrency: 8,
  async cases(world) {
    const documented = await documentedOperations(world.baseUrl);
    const guarded = routes.filter(isGuarded).filter(({ operationId }) => documented.has(operationId));
    const known = new Set(routes.map(({ operationId }) => operationId));
    const unknown = [...documented].filter((operationId) => !known.has(operationId));
    return [
      {
        name: 'the guarded routes of the document',
        expectation: 'all are in the table',
        attempt: async () => unknown[0],
      },
      ...guarded.flatMap((route) => refusedByTheTable(world, route)),
      ...guarded.flatMap((route) => foreignIds(world, route)),
      ...routes.filter(({ method }) => method === 'get').flatMap((route) => foreignQueries(world, route)),
      ...foreignBodies(world),
    ].map((one) => ({ deadlineMs: LIMIT_PATIENCE_MS, ...one }));
  },
};

const isGuarded = (route: RouteDefinition): route is GuardedRoute => route.access.auth === 'credential';

interface Documented {
  readonly operationId?: string;
  readonly security?: readonly unknown[];
}

async function documentedOperations(baseUrl: string): Promise<ReadonlySet<string>> {
  const { text } = await call(baseUrl, 'GET /openapi.json');
  const document = JSON.parse(text) as { paths: Record<string, Record<string, Documented>>; security?: unknown[] };
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const guarded = operations.filter(({ security }) => (security ?? document.security ?? []).length > 0);
  return new Set(guarded.flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId])));
}

function refusedByTheTable(world: World, route: GuardedRoute): AttackCase[] {
  return (['own', 'foreign'] as const satisfies readonly Place[]).flatMap((place) => {
    const of = place === 'own' ? world.own : world.victim;
    return world.credentials.flatMap(({ name, headersFor, as }) => {
      const code =
        typeof as === 'string' ? as : expectedRefusal(route, { caller: as(route), place, access: route.access });
      if (code === undefined) return [];
      const attempt = async (): Promise<string | undefined> => {
        const headers = { ...headersFor(route), ...workspaceHeader(route, of) };
        const answer = await patiently(world, lineOf(route, pathOf(route, of) + PROBE), { headers });
        return refusalProblem(answer, code) ?? leak(answer, world);
      };
      return [{ name: `${route.operationId} by ${name}, ${place} tenant`, expectation: code, attempt }];
    });
  });
}

/** The victim's ids must look nonexistent. */
function foreignIds(world: World, route: GuardedRoute): AttackCase[] {
  if (route.access.within === 'installation') return [];
  const body = route.upload !== undefined || route.body === undefined ? undefined : sampleOf(route.body);
  return world.credentials.flatMap(({ name, headersFor, as }: Credential) => {
    if (typeof as === 'string') return [];
    if (expectedRefusal(route, { caller: as(route), place: 'own', access: route.access }) !== undefined) return [];
    const headers = { ...headersFor(route), ...workspaceHeader(route, world.own) };
    const ask = (id: Readonly<Record<string, string>>): Promise<Answer> =>
      patiently(world, lineOf(route, pathOf(route, world.own, id)), { headers, body });
    return publicIds(route).map(({ parameter, kind }) => ({
      name: `${parameter} of the victim in ${route.operationId} by ${name}`,
      expectation: 'the answer for an unknown id',
      attempt: async () => {
        const foreign = world.victim.id(kind);
        const missing = `${idPrefixes[kind]}00000000`;
        const given = await ask({ [parameter]: foreign });
        const nothing = await ask({ [parameter]: missing });
        return refusalProblem(given) ?? leak(given, world) ?? difference(given, nothing, [foreign, missing]);
      },
    }));
  });
}

function foreignQueries(world: World, route: RouteDefinition): AttackCase[] {
  if (!isGuarded(route) || route.query === undefined || route.access.within === 'installation') return [];
  const headers = { authorization: `Bearer ${world.apiKey}`, ...workspaceHeader(route, world.own) };
  const ask = (query: string): Promise<Answer> =>
    patiently(world, lineOf(route, `${pathOf(route, world.own)}?${query}`), { headers });
  return Object.keys(route.query.shape).flatMap((name) =>
    narrowings(name, world.victim).map(({ foreign, missing }) => ({
      name: `${route.operationId} narrowed to the victim's ${name} ${foreign}`,
      expectation: 'the answer for an unknown id, without data of the victim',
      attempt: async () => {
        const given = await ask(`${name}=${foreign}`);
        const nothing = await ask(`${name}=${missing}`);
        return leak(given, world) ?? difference(given, nothing, [foreign, missing]);
      },
    })),
  );
}

function narrowings(name: string, { channelId, workspaceId, id }: AttackedTenant) {
  const channel = { foreign: channelId, missing: 'ch_00000000' };
  const workspace = { foreign: workspaceId, missing: 'ws_00000000' };
  if (name === 'scope') {
    return [channel, workspace].map(({ foreign, missing }) => {
      const word = foreign.startsWith('ch_') ? 'channel' : 'workspace';
      return { foreign: `${word}:${foreign}`, missing: `${word}:${missing}` };
    });
  }
  if (name === 'channelId') return [channel];
  if (name === 'workspaceId') return [workspace];
  return name === 'userId' ? [{ foreign: id('user'), missing: 'usr_00000000' }] : [];
}

function foreignBodies(world: World): AttackCase[] {
  const { own, victim, apiKey } = world;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': own.workspaceId };
  const span = { since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z', statuses: ['exhausted'] };
  const link = { label: 'attack', channelType: 'chatapp' };
  const bodies: readonly (readonly [string, (of: Pick<AttackedTenant, 'workspaceId' | 'channelId'>) => unknown])[] = [
    [`POST /channels/${own.channelId}/move`, ({ workspaceId }) => ({ workspaceId })],
    ['POST /replays', ({ channelId }) => ({ scope: `channel:${channelId}`, ...span })],
    ['POST /replays', ({ workspaceId }) => ({ scope: `workspace:${workspaceId}`, ...span })],
    [`POST /organizations/${own.organizationId}/onboarding-links`, ({ workspaceId }) => ({ ...link, workspaceId })],
    [
      `POST /organizations/${own.organizationId}/invitations`,
      ({ workspaceId }) => ({ email: 'attack@example.com', organizationRole: 'member', workspaceId }),
    ],
  ];
  const nothing = { workspaceId: 'ws_00000000', channelId: 'ch_00000000' };
  return bodies.map(([route, bodyFor]) => ({
    name: `${route} with ${JSON.stringify(bodyFor(victim))}`,
    expectation: 'the answer for an unknown id',
    attempt: async () => {
      const given = await patiently(world, route, { headers, body: bodyFor(victim) });
      const missing = await patiently(world, route, { headers, body: bodyFor(nothing) });
      const ids = [...Object.values(nothing), victim.workspaceId, victim.channelId];
      return refusalProblem(given) ?? leak(given, world) ?? difference(given, missing, ids);
    },
  }));
}

async function patiently({ baseUrl }: World, line: string, options: CallOptions): Promise<Answer> {
  const answer = await call(baseUrl, line, options);
  const waitSeconds = Number(answer.headers['retry-after'] ?? Number.NaN);
  if (answer.status !== 429 || !(waitSeconds <= LONGEST_WAIT_SECONDS)) return answer;
  await sleep(waitSeconds * 1_000);
  return await call(baseUrl, line, options);
}

function leak({ text }: Answer, { victim }: World): string | undefined {
  const mark = victim.marks.find((one) => text.includes(one));
  return mark === undefined ? undefined : `The answer shows ${mark}: ${text}`;
}

function difference(given: Answer, nothing: Answer, ids: readonly string[]): string | undefined {
  const plain = ({ status, headers, text }: Answer): string =>
    ids
      .reduce((shown, id) => shown.replaceAll(id, '…'), `${status} ${text}`)
      .replaceAll(headers['x-request-id'] as string, '…');
  const one = plain(given);
  const other = plain(nothing);
  return one === other ? undefined : `${one} is not ${other}`;
}

/** Platform ids belong to no tenant. */
function publicIds({ parameters }: RouteDefinition) {
  return Object.entries(parameters).flatMap(([parameter, { kind }]) =>
    kind === 'platformId' ? [] : [{ parameter, kind }],
  );
}

const lineOf = ({ method }: RouteDefinition, path: string): string => `${method.toUpperCase()} ${path}`;

function pathOf(
  { path, parameters }: RouteDefinition,
  of: AttackedTenant,
  given: Readonly<Record<string, string>> = {},
) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? of.id(parameters[name]!.kind));
}

function workspaceHeader({ access }: GuardedRoute, { workspaceId }: AttackedTenant): Readonly<Record<string, string>> {
  return access.within === 'header' ? { 'x-workspace-id': workspaceId } : {};
}
