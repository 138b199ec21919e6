import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import type { ContainerOwner, GatewayContainers } from '../../db/containers/gateway-containers.ts';
import type { OutboundCall } from '../../db/operations/outbound-calls.ts';
import type { GatewayLimits } from '../../gateway/calls/deps.ts';
import { startGateway } from '../../gateway/start-gateway.ts';
import type { GatewayMeter } from '../../metrics/gateway-metrics.ts';
import type { Traces } from '../../process/traces/traces.ts';
import { type LoggedLine, rememberingLog } from '../harness/quiet-log.ts';
import { testSecretBox } from '../harness/tenants.ts';

export const upstreamToken = 'UPSTREAM-CANARY-0123456789';
export const channelToken = `hmat_${'t'.repeat(43)}`;
export const appSecret = 'app-secret-canary';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface UpstreamReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string | Buffer;
}

/** Replies by `METHOD /path`, without version and query. */
export type Script = Readonly<Record<string, UpstreamReply | ((seen: SeenRequest) => UpstreamReply)>>;
export type RawScript = (request: IncomingMessage, response: ServerResponse) => void;

export interface StageOptions {
  readonly channel?: Partial<TokenChannel>;
  readonly allowedCidrs?: readonly string[];
  readonly script?: Script | RawScript;
  readonly limits?: Partial<GatewayLimits>;
  readonly apiUrl?: string;
  readonly meter?: GatewayMeter;
  readonly traces?: Traces;
  readonly containers?: GatewayContainers;
}

export interface Stage {
  readonly url: string;
  readonly upstreamUrl: string;
  readonly seen: readonly SeenRequest[];
  readonly recorded: readonly OutboundCall[];
  readonly lines: readonly LoggedLine[];
  readonly state: { refusedReason: string | null; isDisconnected: boolean; isRevoked: boolean };
  call(route: string, options?: CallOptions): Promise<CallAnswer>;
  stopGateway(options?: { readonly graceMs?: number }): Promise<void>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly token?: string | null;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export const page: TokenChannel = {
  channelId: 7,
  channelPublicId: 'ch_00000007',
  type: 'pageapp',
  resourceId: '1000',
  workspaceId: 3,
  workspacePublicId: 'ws_00000003',
  organizationId: 2,
  linkedResourceId: '2000',
  tokenId: 11,
  scopes: null,
};

export async function startStage(t: ExecutionContext<unknown>, options: StageOptions = {}): Promise<Stage> {
  const seen: SeenRequest[] = [];
  const recorded: OutboundCall[] = [];
  const log = rememberingLog();
  const state: Stage['state'] = { refusedReason: null, isDisconnected: false, isRevoked: false };
  const { url: upstreamUrl, stop: stopUpstream } = await startUpstream(options.script ?? {}, seen);
  const channel = { ...page, ...options.channel };
  const gateway = await startGateway({
    port: 0,
    host: '127.0.0.1',
    channels: {
      async openToken(token) {
        if (token !== channelToken || state.isRevoked) return undefined;
        if (state.isDisconnected) return 'disconnected';
        const { refusedReason } = state;
        const account = { resourceId: channel.resourceId, token: upstreamToken, refusedReason };
        return { channel, account, allowedCidrs: options.allowedCidrs ?? null };
      },
      refuseCredential: async ({ reason }) => void (state.refusedReason = reason),
      containers: options.containers ?? rememberedContainers(),
      schemaState: async () => 'ok',
    },
    outbound: { record: (call) => void recorded.push(call), stop: async () => undefined },
    secretBox: testSecretBox,
    apiUrl: options.apiUrl ?? upstreamUrl,
    appSecret,
    baseUrl: 'https://api.example.com',
    log,
    ...(options.limits && { limits: options.limits }),
    ...(options.meter && { meter: options.meter }),
    ...(options.traces && { traces: options.traces }),
  });
  let stopping: Promise<void> | undefined;
  const stopGateway: Stage['stopGateway'] = (options) => (stopping ??= gateway.stop(options));
  t.teardown(async () => {
    await stopGateway();
    await stopUpstream();
  });
  return {
    url: gateway.url,
    upstreamUrl,
    seen,
    recorded,
    lines: log.lines,
    state,
    stopGateway,
    call: (route, callOptions) => callGateway(gateway.url, route, callOptions),
  };
}

export interface RefusedCall {
  /** Optional. Default: an invalid request or an object outside of the token's scope. */
  readonly codes?: readonly string[];
  readonly options?: CallOptions;
  readonly stage?: StageOptions;
}

/** Makes a call and expects its refusal. Only lookups of owners may have reached the platform. */
export async function refusedCall(
  t: ExecutionContext<unknown>,
  route: string,
  { codes = ['VALIDATION_ERROR', 'PAGEAPP_SCOPE_DENIED'], options, stage }: RefusedCall = {},
): Promise<CallAnswer> {
  const { call, seen } = await startStage(t, stage);
  const answer = await call(route, options);
  t.true(codes.includes(String(answer.body['code'])), answer.text);
  const isLookUp = ({ method, query }: SeenRequest) =>
    method === 'GET' && (query.has('fields') || query.has('phone_number_id'));
  const sent = answer.body['code'] === 'PAGEAPP_SCOPE_DENIED' ? seen.filter((one) => !isLookUp(one)) : seen;
  t.deepEqual(sent, [], 'nothing but lookups was sent');
  return answer;
}

function rememberedContainers(): GatewayContainers {
  const made = new Set<string>();
  const keyOf = ({ channelId, accountId }: ContainerOwner, id: string): string => `${channelId}/${accountId}/${id}`;
  return {
    record: async ({ platformIds, ...owner }) => platformIds.forEach((id) => made.add(keyOf(owner, id))),
    isOwn: async ({ platformId, ...owner }) => made.has(keyOf(owner, platformId)),
  };
}

export async function startUpstream(script: Script | RawScript, seen: SeenRequest[]) {
  const server = createServer(upstreamOf(script, seen));
  server.keepAliveTimeout = 0; // so that the gateway closes first, also after a pause of this process
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function upstreamOf(script: Script | RawScript, seen: SeenRequest[]): RawScript {
  if (typeof script === 'function') return script;
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://upstream');
      const one = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      const reply = script[`${one.method} ${url.pathname.replace(/^\/v\d+\.\d+/, '')}`] ?? notThere;
      const { status = 200, headers = {}, json, text } = typeof reply === 'function' ? reply(one) : reply;
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
      response.end(text ?? JSON.stringify(json ?? { success: true }));
    });
  };
}

const notThere: UpstreamReply = {
  status: 400,
  json: { error: { message: 'Unsupported get request', type: 'GraphMethodException', code: 100, error_subcode: 33 } },
};

export const noSuchField: UpstreamReply = {
  status: 400,
  json: { error: { message: '(#100) Tried accessing nonexisting field', type: 'OAuthException', code: 100 } },
};

async function callGateway(
  url: string,
  route: string,
  { headers, json, body, token }: CallOptions = {},
): Promise<CallAnswer> {
  const [method = 'GET', path = ''] = route.split(' ');
  const { hostname, port } = new URL(url);
  const sent = body ?? (json === undefined ? undefined : JSON.stringify(json));
  // Without `URL`, which would normalize the path.
  const request = httpRequest({
    hostname,
    port,
    method,
    path,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token ?? channelToken}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(sent !== undefined && !headers?.['transfer-encoding'] && { 'content-length': Buffer.byteLength(sent) }),
      ...headers,
    },
  });
  request.end(sent);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
