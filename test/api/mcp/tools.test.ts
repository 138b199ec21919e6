import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import test from 'ava';
import { routes } from '../../../openapi/route-table.ts';
import type { RouteDefinition } from '../../../openapi/definitions/route-definition.ts';
import { idPrefixes } from '../../../contract/ids.ts';
import { instructions } from '../../../api/mcp/mount.ts';
import {
  destructiveTools,
  mintingReads,
  repeatableTools,
  sendingTools,
  nextSteps,
  secretTools,
  everyTool,
} from '../../../api/mcp/tools.ts';
import { sortArguments, type ToolArguments } from '../../../api/mcp/tool-arguments.ts';
import { platformIdSample } from '../../harness/access/id-samples.ts';
import { sampleOf } from '../../harness/api/schema-sample.ts';

const tools = everyTool();

function leftOutBecause({ operationId, access, isForPeople }: RouteDefinition): string | undefined {
  if (access.auth === 'none') return 'it is open: it issues a key or reports health';
  if (access.principals.join() === 'user') return 'it is for people in a session only, so that a key makes no keys';
  if (access.principals.join() === 'staff') return 'it is for staff only';
  if (isForPeople) return 'it breaks running integrations, which a person must decide';
  if (operationId === 'streamDeliveries') return 'its answer does not end; readListener and listDeliveries stand in';
  return undefined;
}

test('every operation is a tool or excluded for a reason', (t) => {
  const expected = routes.filter((route) => leftOutBecause(route) === undefined).map(({ operationId }) => operationId);
  t.deepEqual([...tools.keys()].sort(), expected.sort());
  t.true(tools.size > 80);
});

test('every tool has a valid name, description and schemas', (t) => {
  for (const [name, { listing, outputSchema, route }] of tools) {
    t.is(listing.name, name);
    t.regex(name, /^[a-zA-Z][a-zA-Z0-9_-]{0,47}$/);
    t.true((listing.description ?? '').startsWith(route.summary), name);
    t.is(listing.inputSchema.type, 'object');
    t.is(outputSchema?.type, route.success.body ? 'object' : undefined, name);
    t.notRegex(JSON.stringify([listing, outputSchema]), /\$ref|\$defs|\$schema/, name);
  }
});

test('clients can compile every schema', (t) => {
  const validator = new AjvJsonSchemaValidator();
  for (const [name, { listing, outputSchema = {} }] of tools) {
    for (const schema of JSON.parse(JSON.stringify([listing.inputSchema, outputSchema]))) {
      t.notThrows(() => validator.getValidator(schema), name);
    }
  }
  const { inputSchema } = JSON.parse(JSON.stringify(tools.get('createContainer')!.listing));
  const isValid = (given: object) => validator.getValidator(inputSchema)(given).valid;
  t.true(isValid({ channelId: 'ch_00000000', mediaType: 'IMAGE', imageUrl: 'https://example.com/a.jpg' }));
  t.false(isValid({ channelId: 'ch_00000000' }));
  t.false(isValid({ channelId: 'wd_00000000', mediaType: 'IMAGE' }));
  t.false(isValid({ channelId: 'ch_00000000', mediaType: 'PICTURE' }));
});

test("a tool's description names the required role", (t) => {
  for (const [name, { listing, route }] of tools) {
    if (route.access.auth === 'none') continue;
    const { role } = route.access;
    const people = /For (?:workspace|organization) (admin|developer)s\./.exec(listing.description ?? '')?.[1];
    t.is(people ?? 'member', role === 'organization_admin' ? 'admin' : role, name);
  }
});

test('annotations mark reading, destructive and repeatable tools', (t) => {
  const hintsOf = (name: string) => tools.get(name)?.listing.annotations;
  for (const [name, { route }] of tools) {
    const isReading = route.method === 'get' && !/Token$|Env$/.test(name);
    t.is(hintsOf(name)?.readOnlyHint, isReading ? true : undefined, name);
    t.is(typeof hintsOf(name)?.destructiveHint, isReading ? 'undefined' : 'boolean', name);
    if (route.method === 'delete') t.true(hintsOf(name)?.destructiveHint, name);
  }
  for (const name of ['disconnectChannel', 'deleteWebhookConfig', 'cancelReplay', 'moderatePageappComment']) {
    t.true(hintsOf(name)?.destructiveHint, name);
  }
  // Omitted hints are protocol defaults: not read-only, not idempotent, open world.
  t.deepEqual(hintsOf('listChannels'), { readOnlyHint: true, openWorldHint: false });
  t.deepEqual(hintsOf('listPageappPosts'), { readOnlyHint: true });
  t.deepEqual(hintsOf('sendMessage'), { destructiveHint: false });
  for (const name of ['scheduleMessage', 'schedulePost']) t.deepEqual(hintsOf(name), { destructiveHint: false }, name);
  for (const name of ['changeScheduledMessage', 'changeScheduledPost']) {
    t.is(hintsOf(name)?.openWorldHint, undefined, name);
  }
  const cancelling = { destructiveHint: true, idempotentHint: true, openWorldHint: false };
  for (const name of ['cancelScheduledMessage', 'cancelScheduledPost']) t.deepEqual(hintsOf(name), cancelling, name);
  t.deepEqual(hintsOf('putWebhookConfig'), { destructiveHint: true, idempotentHint: true });
  t.deepEqual(hintsOf('enableChannel'), { destructiveHint: false, idempotentHint: true, openWorldHint: false });
});

test('texts and marks name existing tools only', (t) => {
  const marked = [destructiveTools, mintingReads, repeatableTools, secretTools, sendingTools].flatMap((set) => [
    ...set,
  ]);
  for (const name of [...marked, ...Object.keys(nextSteps)]) t.true(tools.has(name), name);
  const texts = [instructions, ...[...tools.values()].map(({ listing }) => listing.description ?? '')].join(' ');
  const verbs = 'list|get|read|retry(?!After)|replay|pause|test|put|create|publish|send|acknowledge|revoke';
  for (const [name] of texts.matchAll(new RegExp(`\\b(?:${verbs})[A-Z]\\w+`, 'g'))) t.true(tools.has(name), name);
});

function needsWorkspace({ access }: RouteDefinition): boolean {
  return access.auth !== 'none' && access.within === 'header';
}

function sampleArguments(route: RouteDefinition, names: readonly string[]): ToolArguments {
  const ids = Object.entries(route.parameters).map(([name, { kind }]) =>
    kind === 'platformId' ? [name, platformIdSample] : [`${kind}Id`, `${idPrefixes[kind]}00000000`],
  );
  const body = (route.body && sampleOf(route.body)) as ToolArguments | undefined;
  return {
    ...(needsWorkspace(route) && { workspaceId: 'ws_00000000' }),
    ...Object.fromEntries(ids),
    ...(route.query && (sampleOf(route.query) as ToolArguments)),
    ...(names.includes('body') ? { body } : body),
    ...(route.idempotent && { idempotencyKey: 'sample' }),
    ...(route.upload !== undefined && { contentType: 'image/png', data: 'AAAA' }),
  };
}

test('arguments of the listed schema become a valid request', (t) => {
  for (const [name, { listing, plan, route }] of tools) {
    const listed = Object.keys(listing.inputSchema.properties ?? {});
    const given = sampleArguments(route, listed);
    t.deepEqual(
      Object.keys(given).filter((argument) => !listed.includes(argument)),
      [],
      name,
    );
    for (const required of listing.inputSchema.required ?? []) t.true(required in given, `${name} ${required}`);
    const parts = sortArguments(plan, given);
    t.deepEqual(Object.keys(parts.params()), Object.keys(route.parameters), name);
    t.true((route.query?.safeParse(parts.query).success ?? true) && !(parts.query === undefined), name);
    if (route.body) t.deepEqual(route.body.parse(parts.body() ?? {}), route.body.parse(sampleOf(route.body)), name);
    else t.is(parts.body(), undefined, name);
    t.is(parts.idempotencyKey(), route.idempotent ? 'sample' : null, name);
    if (needsWorkspace(route)) t.is(parts.workspaceId(), 'ws_00000000', name);
    if (needsWorkspace(route)) t.true((listing.inputSchema.required ?? []).includes('workspaceId'), name);
  }
});

test('query numbers and lists become text; null is omitted', (t) => {
  const { plan } = tools.get('getPhotoappInsights')!;
  const parts = sortArguments(plan, { channelId: 'ch_00000000', metrics: ['reach', 'views'], since: 5, until: null });
  t.deepEqual(parts.query, { metrics: 'reach,views', since: '5' });
});

test('query values that cannot be text are refused by the schema', (t) => {
  const { plan, route } = tools.get('listDeliveries')!;
  for (const limit of [[{ toString: 1 }], { toString: 1 }]) {
    const { query } = sortArguments(plan, { workspaceId: 'ws_00000000', limit });
    t.deepEqual(query, { limit });
    t.false(route.query?.safeParse(query).success);
  }
});

test('an unknown argument reaches the schema that refuses it', (t) => {
  for (const [name, { plan, route }] of tools) {
    const parts = sortArguments(plan, { ...sampleArguments(route, plan.isNested ? ['body'] : []), inventedField: 1 });
    const schema = route.body && !plan.isNested ? route.body : route.query;
    const part = route.body && !plan.isNested ? parts.body() : parts.query;
    t.true('inventedField' in (part as object), name);
    t.false(schema?.safeParse(part).success ?? false, name);
  }
});
