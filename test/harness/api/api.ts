import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createApiServer } from '../../../api/requests/api-server.ts';
import { createApp } from '../../../api/app.ts';
import { type ApiShares, createApiShares } from '../../../api/requests/api-shares.ts';
import type { ApiDeps } from '../../../api/requests/deps.ts';
import { openApiText } from '../../../openapi/document/open-api-document.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { startedNames, type StartedType } from '../../../workflows/workflow-types.ts';
import { createSlowReads } from '../../../api/requests/slow-reads.ts';
import { createBodyBudget } from '../../../process/body-budget.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { readInstallationStatus } from '../../../db/upkeep/installation-status.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { createLog } from '../../../process/log.ts';
import { createPlatformOAuth } from '../../../platform/oauth/oauth.ts';
import { createPlatformOperations } from '../../../platform/operations/operations.ts';
import { type ApiAnswer, readAnswer } from './api-answer.ts';
import { answerCheck } from './conformance.ts';
import { connectPatiently, PATIENCE_MS } from '../database/connect-patiently.ts';
import { testDatabase, urlFor } from '../database/database.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { endVoid } from '../end-void.ts';
import { testBodyBox, testSecretBox, testSigningRing } from '../tenants.ts';

export interface ApiCall {
  readonly key?: string | undefined;
  readonly workspace?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent unchanged. */
  readonly body?: unknown;
}

export interface TestApi {
  readonly db: Knex;
  readonly databaseUrl: string;
  readonly url: string;
  /** Calls `METHOD /path` and validates the response against the OpenAPI document. */
  call(route: string, call?: ApiCall): Promise<ApiAnswer>;
  refused(code: ErrorCode, route: string, call?: ApiCall): Promise<ApiAnswer>;
  /** Ends void deliveries, as workers do. */
  endVoid(): Promise<number>;
}

const notStarted = () => Promise.resolve({ state: 'not_started', cause: undefined } as const);

/** Simulates an unreachable Temporal server. */
export const noTemporal: WorkflowStarts = {
  ...(Object.fromEntries(startedNames.map((name) => [name, notStarted])) as Record<StartedType, typeof notStarted>),
  retryDelivery: notStarted,
  cancelDeliveries: () => undefined,
  signalCode: () => undefined,
  createContainer: notStarted,
  publishContainer: notStarted,
  containerProgress: () => Promise.resolve(undefined),
  signalReplay: notStarted,
  signalCircuit: notStarted,
};

export const baseUrl = 'https://api.example.com';
const problemsOfAnswer = answerCheck(openApiText({ baseUrl, deployment: 'production' }));

const log = createLog({ name: 'test', level: 'silent' });

const nowhere = createPlatformOAuth({
  oauthUrl: 'http://127.0.0.1:1/dialog/oauth',
  apiUrl: 'http://127.0.0.1:1',
  apiVersion: 'v23.0',
  clientId: 'demo-app',
  appSecret: 'app secret',
});

const actsNowhere = createPlatformOperations({
  apiUrl: 'http://127.0.0.1:1',
  clientId: 'demo-app',
  appSecret: 'app secret',
});

const mailBounds = {
  emailCodes: { perAddressHourly: 5, perClientHourly: 20, wrongHourly: 1_000 },
  invitationsPerDay: 1_000,
};

export interface TestApiOptions extends Partial<Omit<ApiDeps, 'starts' | 'shares'>> {
  /** Optional. The starts that are answered. The others are unavailable. */
  readonly starts?: Partial<WorkflowStarts> | ((db: Knex) => Partial<WorkflowStarts>);
  readonly shares?: Partial<ApiShares>;
}

/** Starts a real server on the test's own database. Only Temporal is replaced. */
export async function testApi(
  t: ExecutionContext<unknown>,
  { starts = {}, shares = {}, ...others }: TestApiOptions = {},
): Promise<TestApi> {
  const database = await testDatabase(t);
  const allShares = { ...createApiShares(), ...shares };
  const db = connectPatiently({ url: urlFor('api', database.url), applicationName: 'test-api' });
  t.teardown(() => db.destroy());
  const listener = createApp({
    db,
    readDb: db,
    secretBox: testSecretBox,
    bodyBox: testBodyBox,
    signingRing: testSigningRing,
    starts: { ...noTemporal, ...(typeof starts === 'function' ? starts(database.db) : starts) },
    ...(await readInstallation(database.db)),
    ...mailBounds,
    baseUrl,
    gatewayUrl: 'https://gateway.example.com',
    platformOAuth: nowhere,
    platform: actsNowhere,
    outbound: { record: () => undefined, stop: () => Promise.resolve() },
    maxUploadBytes: 1024 * 1024,
    temporalUiUrl: undefined,
    temporalNamespace: 'default',
    log,
    bodies: createBodyBudget(),
    deployment: 'production',
    allowCidrs: [],
    now: () => performance.now(),
    namespaceState: () => Promise.resolve('unreachable'),
    workersState: () => Promise.resolve('unknown'),
    installationStatus: () => readInstallationStatus(testHotPool(t, urlFor('api', database.url))),
    taskQueues: () => Promise.resolve(undefined),
    ingest: null,
    shares: allShares,
    slowReads: createSlowReads({ shares: allShares.slowReads, connections: 10, waitMs: PATIENCE_MS }),
    ...others,
  });
  const server = await listening(listener);
  t.teardown(() => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call = async (route: string, options: ApiCall = {}): Promise<ApiAnswer> => {
    const [method = '', path = ''] = route.split(' ');
    const answer = await send(`${url}${path}`, method, options);
    t.deepEqual(problemsOfAnswer({ method, path, ...answer }), [], `${route} answers as documented`);
    return answer;
  };
  const refused = async (code: ErrorCode, route: string, options: ApiCall = {}): Promise<ApiAnswer> => {
    const answer = await call(route, options);
    t.is(answer.body?.code, code, `${route}: ${JSON.stringify(answer.body)}`);
    t.is(answer.body?.statusCode, answer.status);
    t.is(answer.body?.requestId, answer.headers.get('x-request-id'));
    return answer;
  };
  const endAll = (): Promise<number> => endVoid(testHotPool(t, database.url));
  return { db: database.db, databaseUrl: database.url, url, call, refused, endVoid: endAll };
}

async function listening(listener: RequestListener): Promise<Server> {
  const server = createApiServer({ listener, log }).listen(0, '127.0.0.1');
  // Other tests of the process can take a turn that is longer than the service waits for a request's headers.
  server.headersTimeout = PATIENCE_MS;
  await once(server, 'listening');
  return server;
}

async function send(url: string, method: string, { key, workspace, headers, body }: ApiCall): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(workspace !== undefined && { 'x-workspace-id': workspace }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return await readAnswer(response);
}
