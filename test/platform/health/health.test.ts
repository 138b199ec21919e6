import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createPlatformHealth } from '../../../platform/health/health.ts';
import { consentScopes, requiredScopes } from '../../../platform/client/oauth-vocabulary.ts';
import { onLoopback } from '../../harness/connections/loopback.ts';

const resourceId = '100000000000011';
const businessId = (n: number): string => String(400_000_000_000_000 + n);

/** A platform whose business accounts have two pages of numbers each. Each call takes `callMs` of the injected clock. */
interface StageOptions {
  readonly owner: number;
  readonly callMs?: number;
  readonly data?: object;
}

async function stage(t: ExecutionContext, options: StageOptions) {
  let clockMs = 0;
  const paths: string[] = [];
  const answerOf = ({ pathname, searchParams }: URL): object => {
    const path = pathname.split('/').slice(-2).join('/');
    paths.push(path);
    clockMs += options.callMs ?? 0;
    if (path.endsWith('debug_token')) {
      const target_ids = Array.from({ length: 20 }, (_, n) => businessId(n));
      const granular_scopes = [{ scope: requiredScopes.chatapp[0], target_ids }];
      return { data: { is_valid: true, expires_at: 0, scopes: [], granular_scopes, ...options.data } };
    }
    if (path.endsWith('phone_numbers')) {
      const isLast = searchParams.get('after') === 'second';
      const isOwner = isLast && path.startsWith(businessId(options.owner));
      const paging = isLast ? {} : { next: 'https://platform.example/next', cursors: { after: 'second' } };
      return { data: [{ id: isOwner ? resourceId : '1' }], paging };
    }
    return path.endsWith(resourceId) ? { id: resourceId } : { data: [] };
  };
  // A busy process would send a call on a connection that the server closes.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerOf(new URL(request.url ?? '', 'http://127.0.0.1'))));
  });
  const { url: apiUrl, stop } = await onLoopback(server);
  const base = { apiUrl, clientId: 'demo-app', appSecret: 'app secret', timeoutMs: 120_000 };
  const health = createPlatformHealth({ ...base, nowMs: () => clockMs });
  t.teardown(async () => {
    await health.close();
    await stop();
  });
  const { signal } = new AbortController();
  const read = () => health.read({ type: 'chatapp', resourceId, token: 'token', businessAccountId: null, signal });
  const lookupCount = () => paths.filter((path) => path.endsWith('phone_numbers')).length;
  return { read, paths, lookupCount };
}

test('a number on a later page has its business account', async (t) => {
  const { read, lookupCount } = await stage(t, { owner: 2 });
  t.like(await read(), { outcome: 'read', reading: { businessAccountId: businessId(2) } });
  t.is(lookupCount(), 6);
});

test('a check reads a bounded number of pages', async (t) => {
  const { read, lookupCount } = await stage(t, { owner: 19 });
  t.like(await read(), { outcome: 'read', reading: { businessAccountId: null } });
  t.is(lookupCount(), 10);
});

test('a slow platform is not asked for what need not be known', async (t) => {
  const { read, paths } = await stage(t, { owner: 0, callMs: 9_000 });
  t.like(await read(), { outcome: 'read', reading: { businessAccountId: null, pictureUrl: null } });
  t.is(paths.length, 2);
});

test('any permission can name the business account of a number', async (t) => {
  const granular_scopes = [
    { scope: 'business_management', target_ids: ['7', businessId(1)] },
    { scope: 'public_profile', target_ids: [5, null, '../8'] },
  ];
  const { read } = await stage(t, { owner: 1, data: { granular_scopes } });
  t.like(await read(), { outcome: 'read', reading: { businessAccountId: businessId(1) } });
});

test('a channel needs no permission of the search for accounts', async (t) => {
  const { read } = await stage(t, { owner: 0, data: { scopes: consentScopes.chatapp } });
  t.like(await read(), { reading: { permissions: { missing: [] } } });
});
