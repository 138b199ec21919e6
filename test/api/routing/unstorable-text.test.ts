import test, { type ExecutionContext } from 'ava';
import { z } from 'zod';
import { routes } from '../../../openapi/route-table.ts';
import type { RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { expectedRefusal } from '../../harness/access/access-expectation.ts';
import { testApi } from '../../harness/api/api.ts';
import { type Credential, everyCredential, type Headers } from '../../harness/access/credentials.ts';
import { aSampledTenant, type SampledTenant } from '../../harness/access/id-samples.ts';
import { sampleOf } from '../../harness/api/schema-sample.ts';

/**
 * Tests every place where a caller writes text: query parameters, path ids, body fields and their names. PostgreSQL
 * stores neither U+0000 nor lone surrogates, so the API must refuse them first.
 */
const NUL = 'a\0b';
const LONE_SURROGATE = 'a\ud800b';
/** Longer than an index entry may be, and shorter than the limits of bodies and headers. */
const LONG = 'x'.repeat(12_000);

interface World {
  readonly url: string;
  readonly mine: SampledTenant;
  readonly credentials: readonly Credential[];
}

interface Case {
  readonly label: string;
  readonly route: RouteDefinition;
  readonly path: string;
  readonly body?: string;
}

async function aWorld(t: ExecutionContext): Promise<World> {
  const { db, url } = await testApi(t);
  const mine = await aSampledTenant(db);
  return { url, mine, credentials: await everyCredential(db, mine, await aSampledTenant(db)) };
}

function headersOf({ mine, credentials }: World, { access, ...route }: RouteDefinition): Headers {
  if (access.auth === 'none') return {};
  const guarded = { ...route, access };
  const fitting = credentials.find(
    ({ as }) =>
      typeof as !== 'string' && expectedRefusal(route, { caller: as(guarded), place: 'own', access }) === undefined,
  );
  if (!fitting) throw new Error(`No credential for ${route.operationId}`);
  const workspace = access.within === 'header' ? { 'x-workspace-id': mine.workspace.publicId } : {};
  return { ...fitting.headersFor(guarded), ...workspace };
}

async function send(world: World, { route, path, body }: Case): Promise<{ status: number; code: string }> {
  const response = await fetch(`${world.url}${path}`, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: { ...headersOf(world, route), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel();
  const text = response.bodyUsed ? '' : await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, code: isJson ? JSON.parse(text).code : '' };
}

/** A URL can't contain a lone surrogate as text. Its bytes decode to U+FFFD. */
const inUrl = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');

function pathOf({ path, parameters }: RouteDefinition, mine: SampledTenant, given: Readonly<Record<string, string>>) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? mine.id(parameters[name]!.kind));
}

function queryCases({ mine }: World, route: RouteDefinition, text: string): Case[] {
  const base = pathOf(route, mine, {});
  const body = route.body && JSON.stringify(sampleOf(route.body));
  return Object.keys(route.query?.shape ?? {}).map((name) => ({
    label: `${route.operationId} query.${name}`,
    route,
    path: `${base}?${name}=${inUrl(text)}`,
    ...(body !== undefined && { body }),
  }));
}

function pathCases({ mine }: World, route: RouteDefinition, text: string): Case[] {
  const body = route.body && JSON.stringify(sampleOf(route.body));
  return Object.keys(route.parameters).map((name) => ({
    label: `${route.operationId} path.${name}`,
    route,
    path: pathOf(route, mine, { [name]: inUrl(text) }),
    ...(body !== undefined && { body }),
  }));
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** Returns each field's value with the text in its place. */
function placesOf(schema: JsonSchema, text: string): unknown[] {
  const { type, properties = {}, items, anyOf = [], additionalProperties } = schema;
  const named = Object.entries(properties).flatMap(([name, inner]) =>
    placesOf(inner, text).map((value) => ({ [name]: value })),
  );
  return [
    ...(type === 'string' ? [text] : []),
    ...named,
    ...(items ? placesOf(items, text).map((value) => [value]) : []),
    ...anyOf.flatMap((inner) => placesOf(inner, text)),
    ...(additionalProperties && type === 'object' ? [{ [text]: 'x' }, { more: text }, { more: [{ deep: text }] }] : []),
    ...(type === 'object' && Object.keys(properties).length === 0 ? [{ more: text }] : []),
  ];
}

function bodyCases({ mine }: World, route: RouteDefinition, text: string): Case[] {
  if (!route.body) return [];
  const schema = z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
  const sample = sampleOf(route.body);
  return placesOf(schema, text).map((place) => {
    const body = JSON.stringify({ ...(sample as object), ...(place as object) });
    return { label: `${route.operationId} body ${body.slice(0, 200)}`, route, path: pathOf(route, mine, {}), body };
  });
}

/** Expected for nonexistent ids and session tokens. A query decodes a lone surrogate to U+FFFD. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 404, 422]);
const isFine = (status: number, { path }: Case): boolean =>
  REFUSALS.has(status) || (status === 200 && path.includes('%ED%A0%80'));

for (const [name, text] of Object.entries({ 'U+0000': NUL, 'a lone surrogate': LONE_SURROGATE })) {
  test(`every route refuses ${name} in its query, path and body`, async (t) => {
    const world = await aWorld(t);
    const cases = routes.flatMap((route) => [
      ...queryCases(world, route, text),
      ...pathCases(world, route, text),
      ...bodyCases(world, route, text),
    ]);
    t.true(cases.length > 250, `${cases.length} cases`);
    const problems: string[] = [];
    for (const one of cases) {
      const { status, code } = await send(world, one);
      if (!isFine(status, one)) problems.push(`${one.label} answers ${status} ${code}`);
    }
    t.deepEqual(problems, []);
  });
}

test('no route fails on text longer than an index entry', async (t) => {
  const world = await aWorld(t);
  const problems: string[] = [];
  for (const one of routes.flatMap((route) => [
    ...queryCases(world, route, LONG),
    ...pathCases(world, route, LONG),
    ...bodyCases(world, route, LONG),
  ])) {
    const { status, code } = await send(world, one);
    if (status === 500) problems.push(`${one.label} answers ${status} ${code}`);
  }
  t.deepEqual(problems, []);
});

test('pages and documents answer U+0000 without an internal error', async (t) => {
  const { url } = await testApi(t);
  const paths = ['/connect/%00', '/connect/callback?state=%00&code=%00&error=%00', '/connect/choose?state=%00', '/%00'];
  paths.push('/docs/%00', '/dashboard/%00', '/assets/%00', '/.well-known/%00', '/mcp?tools=%00', '/platform/%00');
  for (const path of paths) {
    const { status } = await fetch(`${url}${path}`, { redirect: 'manual' });
    t.true(status < 500, `${path} answers ${status}`);
  }
});
