import test, { type ExecutionContext } from 'ava';
import { type ErrorCode, statusByErrorCode } from '../../../contract/errors.ts';
import { idPrefixes } from '../../../contract/ids.ts';
import { routes } from '../../../openapi/route-table.ts';
import { errorsOf, type RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { type Caller, expectedRefusal, type Place } from '../../harness/access/access-expectation.ts';
import { testApi } from '../../harness/api/api.ts';
import {
  type Credential,
  everyCredential,
  type GuardedRoute,
  type Headers,
  limitedKey,
  portalCredential,
} from '../../harness/access/credentials.ts';
import { aSampledTenant, type SampledTenant } from '../../harness/access/id-samples.ts';
import { sampleOf } from '../../harness/api/schema-sample.ts';

/**
 * Calls every route for the caller's tenant and a foreign one. Each route meets each kind of caller with each outcome, and
 * each credential meets each outcome in each place; `npm run attack` tries all pairs. An unknown query parameter reveals
 * the outcome without effect: access is checked first.
 */
const isGuarded = (route: RouteDefinition): route is GuardedRoute => route.access.auth === 'credential';
const guarded = routes.filter(isGuarded);
const PROBE = '?noRouteKnowsThis=1';

interface World {
  readonly url: string;
  readonly mine: SampledTenant;
  readonly theirs: SampledTenant;
  readonly credentials: readonly Credential[];
}

async function aWorld(t: ExecutionContext): Promise<World> {
  const { db, url } = await testApi(t);
  const mine = await aSampledTenant(db);
  const theirs = await aSampledTenant(db);
  return { url, mine, theirs, credentials: await everyCredential(db, mine, theirs) };
}

interface Pair {
  readonly route: GuardedRoute;
  readonly credential: Credential;
  readonly refusal: ErrorCode | undefined;
}

function pairsFor(place: Place, { credentials }: World): Pair[] {
  const seen = new Set<string>();
  return guarded
    .flatMap((route) =>
      credentials.map((credential) => ({ route, credential, ...outcomeFor(place, route, credential) })),
    )
    .filter(({ route, credential, kind, refusal }) => {
      const keys = [[route.operationId, kind, refusal].join(), [credential.name, route.access.within, refusal].join()];
      const isNew = keys.some((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      return isNew;
    });
}

function outcomeFor(place: Place, route: GuardedRoute, { as }: Credential) {
  if (typeof as === 'string') return { kind: undefined, refusal: as };
  const caller = as(route);
  return { kind: caller.kind, refusal: expectedRefusal(route, { caller, place, access: route.access }) };
}

interface Call {
  readonly route: RouteDefinition;
  readonly headers: Headers;
  readonly path: string;
  readonly body?: unknown;
}

async function send({ url }: World, { route, headers, path, body }: Call) {
  const response = await fetch(`${url}${path}`, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: { 'x-request-id': 'matrix', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

function pathOf(
  { path, parameters }: RouteDefinition,
  of: SampledTenant,
  given: Readonly<Record<string, string>> = {},
) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? of.id(parameters[name]!.kind));
}

function workspaceHeader({ access }: GuardedRoute, of: SampledTenant): Headers {
  return access.within === 'header' ? { 'x-workspace-id': of.workspace.publicId } : {};
}

/** Returns the violations of an Error object with this code. */
function problemsOf({ status, text }: { status: number; text: string }, code: ErrorCode, label: string): string[] {
  const body = JSON.parse(text || '{}');
  const problems = [
    body.code !== code && `answers ${text} for ${code}`,
    Object.keys(body).join() !== 'statusCode,code,message,requestId' &&
      `answers with the fields ${Object.keys(body).join()}`,
    status !== statusByErrorCode[code] && `answers with status ${status}`,
    /\bat \S+:\d+|node_modules|\.ts\b/.test(body.message) && 'shows its code',
  ];
  return problems.flatMap((problem) => (problem === false ? [] : [`${label} ${problem}`]));
}

for (const place of ['own', 'foreign'] as const satisfies readonly Place[]) {
  test(`each route treats each credential as the access table prescribes: ${place} tenant`, async (t) => {
    const world = await aWorld(t);
    const problems: string[] = [];
    const of = place === 'own' ? world.mine : world.theirs;
    for (const { route, credential, refusal } of pairsFor(place, world)) {
      const headers = { ...credential.headersFor(route), ...workspaceHeader(route, of) };
      const answer = await send(world, { route, headers, path: pathOf(route, of) + PROBE });
      const code = refusal ?? 'VALIDATION_ERROR';
      const label = `${route.operationId} by ${credential.name}`;
      problems.push(...problemsOf(answer, code, label));
      if (!errorsOf(route).includes(code)) problems.push(`${label} answers ${code}, which is not documented`);
    }
    t.deepEqual(problems, []);
  });
}

/** Platform ids belong to no tenant. */
function publicIds({ parameters }: RouteDefinition) {
  return Object.entries(parameters).flatMap(([parameter, id]) =>
    id.kind === 'platformId' ? [] : [{ parameter, kind: id.kind, notFound: id.notFound }],
  );
}

/** Compares another tenant's resources with missing ones. */
async function foreignProblems(world: World, route: GuardedRoute, { name, headersFor, as }: Credential) {
  const { mine, theirs } = world;
  if (typeof as === 'string' || route.access.within === 'installation') return []; // staff may see every tenant
  const caller = as(route);
  const headers = { ...headersFor(route), ...workspaceHeader(route, mine) };
  const body = route.body && sampleOf(route.body);
  const problems: string[] = [];
  for (const { parameter, kind, notFound } of publicIds(route)) {
    const ask = (id: string) => send(world, { route, headers, path: pathOf(route, mine, { [parameter]: id }), body });
    const missing = await ask(`${idPrefixes[kind]}00000000`);
    const foreign = await ask(theirs.id(kind));
    const label = `${parameter} of ${route.operationId} by ${name}`;
    if (foreign.text !== missing.text) problems.push(`${label}: ${foreign.text} is not ${missing.text}`);
    // An agent is refused before the id is looked up.
    const ownOnly = caller.kind === 'agent' && route.errors.includes('AGENT_KEY_REVOKE_SELF_ONLY');
    problems.push(...problemsOf(foreign, ownOnly ? 'AGENT_KEY_REVOKE_SELF_ONLY' : notFound, label));
  }
  return problems;
}

test("another tenant's resource and a missing one get the same answer", async (t) => {
  const world = await aWorld(t);
  const problems: string[] = [];
  for (const { route, credential, refusal } of pairsFor('own', world)) {
    if (refusal === undefined) problems.push(...(await foreignProblems(world, route, credential)));
  }
  t.deepEqual(problems, []);
});

/** Members and keys belong to the whole organization. */
const sharedKinds = new Set(['organization', 'user', 'apiKey', 'agentCredential', 'invitation', 'onboardingLink']);

for (const [holder, credentialOf] of [
  ['limited key', limitedKey],
  ['portal', portalCredential],
] as const) {
  test(`to a ${holder}, other workspaces of its organization are missing`, async (t) => {
    t.deepEqual(await siblingProblems(t, credentialOf), []);
  });
}

async function siblingProblems(t: ExecutionContext, credentialOf: typeof limitedKey): Promise<string[]> {
  const { db, url } = await testApi(t);
  const mine = await aSampledTenant(db);
  const other = await insertWorkspace(db, { organizationId: mine.organization.id, name: 'Other', kind: 'team' });
  const theirs = await aSampledTenant(db, { ...mine, workspace: other });
  const credential = await credentialOf(db, mine);
  const world = { url, mine, theirs, credentials: [credential] };
  const caller = credential.as as (route: GuardedRoute) => Caller;
  const problems: string[] = [];
  for (const route of guarded) {
    if (expectedRefusal(route, { caller: caller(route), place: 'own', access: route.access })) continue;
    const headers = { ...credential.headersFor(route), ...workspaceHeader(route, mine) };
    const body = route.body && sampleOf(route.body);
    for (const { parameter, kind, notFound } of publicIds(route).filter((id) => !sharedKinds.has(id.kind))) {
      const ask = (id: string) => send(world, { route, headers, path: pathOf(route, mine, { [parameter]: id }), body });
      const missing = await ask(`${idPrefixes[kind]}00000000`);
      const sibling = await ask(theirs.id(kind));
      const label = `${parameter} of ${route.operationId}`;
      if (sibling.text !== missing.text) problems.push(`${label}: ${sibling.text} is not ${missing.text}`);
      problems.push(...problemsOf(sibling, notFound, label));
    }
    if (route.access.within !== 'header') continue;
    const elsewhere = { ...headers, ...workspaceHeader(route, theirs) };
    const answer = await send(world, { route, headers: elsewhere, path: pathOf(route, theirs), body });
    problems.push(...problemsOf(answer, 'WORKSPACE_NOT_FOUND', route.operationId));
  }
  return problems;
}

test('an outsider cannot distinguish existing from missing resources', async (t) => {
  const world = await aWorld(t);
  const outsiders = world.credentials.filter(({ name }) => name.endsWith('an outsider'));
  t.is(outsiders.length, 2);
  // The header distinguishes another organization's workspace from a missing one, as documented.
  const open = guarded.filter(({ access }) => access.within !== 'header' && access.principals.includes('user'));
  for (const route of open) {
    const body = route.body && sampleOf(route.body);
    for (const { parameter, kind } of publicIds(route)) {
      const unknown = pathOf(route, world.theirs, { [parameter]: `${idPrefixes[kind]}00000000` });
      const known = pathOf(route, world.theirs);
      const [one, two] = outsiders.map(({ headersFor }) => ({ route, headers: headersFor(route), body }));
      const label = `${parameter} of ${route.operationId}`;
      t.deepEqual(await send(world, { ...one!, path: known }), await send(world, { ...one!, path: unknown }), label);
      t.deepEqual(await send(world, { ...two!, path: known }), await send(world, { ...two!, path: unknown }), label);
    }
  }
});

test('a member without a workspace cannot distinguish existing from missing resources', async (t) => {
  const world = await aWorld(t);
  const members = world.credentials.filter(({ name }) => name.endsWith('a member of no workspace'));
  t.is(members.length, 2);
  const inWorkspaces = guarded.filter(
    ({ access }) =>
      ['workspace', 'header', 'channel', 'scope'].includes(access.within) && access.principals.includes('user'),
  );
  t.true(inWorkspaces.length > 50);
  for (const route of inWorkspaces) {
    const { operationId, access } = route;
    const body = route.body && sampleOf(route.body);
    const nothing = Object.fromEntries(
      publicIds(route).map(({ parameter, kind }) => [parameter, `${idPrefixes[kind]}00000000`]),
    );
    for (const { name, headersFor } of members) {
      const ask = (given: Readonly<Record<string, string>>, workspace: string) => {
        const header = access.within === 'workspace' ? {} : { 'x-workspace-id': workspace };
        const headers = { ...headersFor(route), ...header };
        return send(world, { route, headers, path: pathOf(route, world.mine, given), body });
      };
      const label = `${operationId} by ${name}`;
      const known = world.mine.workspace.publicId;
      const unknown = 'ws_00000000';
      t.deepEqual(await ask({}, known), await ask(nothing, unknown), label);
      if (access.within === 'channel') t.deepEqual(await ask({}, ''), await ask(nothing, ''), `${label}, no header`);
      t.is((await ask({}, known)).status, 404, label);
    }
  }
});

test('an open route requires no credential', async (t) => {
  const world = await aWorld(t);
  for (const route of routes.filter((candidate) => !isGuarded(candidate))) {
    const path = pathOf(route, world.mine) + PROBE;
    const anybody = await send(world, { route, headers: {}, path });
    t.false([401, 403, 404, 429].includes(anybody.status), `${route.operationId}: ${anybody.text}`);
    for (const { name, headersFor } of world.credentials) {
      const headers = headersFor(guarded[0]!);
      t.is((await send(world, { route, headers, path })).status, anybody.status, `${route.operationId} by ${name}`);
    }
  }
});
