import test from 'ava';
import type { ErrorCode } from '../../../contract/errors.ts';
import { idPrefixes } from '../../../contract/ids.ts';
import { routes } from '../../../openapi/route-table.ts';
import {
  type GuardedAccess,
  neededScopes,
  type PathParameter,
  type RouteDefinition,
} from '../../../openapi/definitions/route-definition.ts';
import { type Scope, scopes } from '../../../contract/identity/scopes.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { platformIdSample } from '../../harness/access/id-samples.ts';
import { aKey } from '../../harness/tenants.ts';

type GuardedRoute = RouteDefinition & { readonly access: GuardedAccess & { readonly scope: Scope } };
const isGuarded = (route: RouteDefinition): route is GuardedRoute =>
  route.access.auth === 'credential' && route.access.scope !== null;
const guarded = routes.filter(isGuarded);

function callOf({ method, path, parameters }: RouteDefinition, body: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { kind } = parameters[name]!;
    return kind === 'platformId' ? platformIdSample : `${idPrefixes[kind]}${body}`;
  });
  return `${method.toUpperCase()} ${filled}`;
}

test('every route checks scopes before it looks up resources', async (t) => {
  const { db, refused, tenant } = await tenantStage(t);
  for (const route of guarded) {
    for (const needed of neededScopes(route.access)) {
      const key = await aKey(db, { ...tenant, scopes: scopes.filter((scope) => scope !== needed) });
      const { body } = await refused('AGENT_SCOPE_INSUFFICIENT', callOf(route, '00000000'), { key });
      t.true(body.message.includes(needed));
    }
  }
});

function notFoundOf(parameter: PathParameter | undefined): ErrorCode {
  if (parameter === undefined || parameter.kind === 'platformId') throw new Error('Not an id of the service');
  return parameter.notFound;
}

test("a malformed id is answered with its resource's not-found code", async (t) => {
  const { refused, at } = await tenantStage(t);
  for (const route of guarded) {
    const [first] = Object.values(route.parameters);
    for (const body of first && first.kind !== 'platformId' ? ['1', '123456789', '1234-678', '%00234567'] : []) {
      await refused(notFoundOf(first), callOf(route, body), at);
    }
  }
});

test('routes refuse unknown query parameters', async (t) => {
  const { refused, organization, at } = await tenantStage(t);
  for (const path of ['/platform/channels', '/deliveries', `/organizations/${organization.publicId}`]) {
    await refused('VALIDATION_ERROR', `GET ${path}?unknown=1`, at);
  }
});
