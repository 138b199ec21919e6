import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type IdKind, idPrefixes } from '../../../contract/ids.ts';
import { parseCidrs } from '../../../contract/addresses/classify-address.ts';
import { organizationsOf, peopleOf } from './demo-people.ts';
import { call } from '../cases/http-call.ts';
import { objectIn } from '../cases/response-problems.ts';
import type { AttackedTenant, DemoSettings, World } from '../cases/world.ts';

/** Describes a service with the demo's tenants: the second organization attacks the first. */
export async function demoWorld(settings: DemoSettings, logPath: string | undefined): Promise<World> {
  const { BASE_URL: baseUrl, GATEWAY_URL: gatewayUrl, OTHER_API_KEY: apiKey, SERVICE_API_KEY: victimKey } = settings;
  if (!baseUrl || !apiKey || !victimKey) throw new Error('BASE_URL, OTHER_API_KEY and SERVICE_API_KEY must be given.');
  const own = await tenantOf(baseUrl, apiKey, {
    workspaceId: settings['OTHER_WORKSPACE_ID'],
    channelId: settings['OTHER_CHANNEL_ID'],
  });
  const victim = await tenantOf(baseUrl, victimKey, {
    workspaceId: settings['SERVICE_WORKSPACE_ID'],
    channelId: settings['CHATAPP_CHANNEL_ID'],
  });
  const held = await heldChannel(settings);
  const people = await peopleOf({ baseUrl, apiKey, own, settings });
  return {
    baseUrl,
    ...(gatewayUrl && { gatewayUrl }),
    apiKey,
    own,
    victim,
    victimKey,
    ...people,
    ...(held && { held }),
    foreignResourceId: '300000000000012',
    ...(settings['PLATFORM_APP_SECRET'] && { platformSecret: settings['PLATFORM_APP_SECRET'] }),
    resourceId: settings['CHATAPP_RESOURCE_ID'] ?? '0',
    allowedCidrs: parseCidrs(settings['EGRESS_ALLOW_CIDRS'] ?? '127.0.0.0/8,::1/128'),
    ...(settings['MAIL_INBOX_URL'] && { mailInboxUrl: settings['MAIL_INBOX_URL'] }),
    ...(settings['DATABASE_URL'] && { databaseUrl: settings['DATABASE_URL'] }),
    ...(settings['TEMPORAL_ADDRESS'] && { temporalAddress: settings['TEMPORAL_ADDRESS'] }),
    ...(settings['TEMPORAL_NAMESPACE'] && { temporalNamespace: settings['TEMPORAL_NAMESPACE'] }),
    ...(logPath !== undefined && { logPath }),
    ...apiProcess(baseUrl),
  };
}

interface Place {
  readonly workspaceId: string | undefined;
  readonly channelId: string | undefined;
}

async function tenantOf(baseUrl: string, apiKey: string, place: Place): Promise<AttackedTenant> {
  const { workspaceId = '', channelId = '' } = place;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId };
  const [organization] = await organizationsOf(baseUrl, headers);
  const organizationId = organization?.organizationId ?? '';
  const owner: Owner = { baseUrl, headers, organizationId, channelId };
  await makeThings(owner);
  const ids: Partial<Record<IdKind, string | undefined>> = {
    organization: organizationId,
    workspace: workspaceId,
    channel: channelId,
    ...(await listedIds(owner)),
  };
  const members = await call(baseUrl, `GET /organizations/${organizationId}/members`, { headers });
  const email = /(?<![\w.])[\w.]+@demo\.example/.exec(members.text)?.[0];
  return {
    organizationId,
    workspaceId,
    channelId,
    id: (kind) => (kind === 'platformId' ? '1234567890' : (ids[kind] ?? `${idPrefixes[kind]}AAAAAAAA`)),
    marks: email === undefined ? [] : [email],
  };
}

interface Owner {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationId: string;
  readonly channelId: string;
}

/** Creates one resource of each kind, so that every id in a path exists. */
async function makeThings({ baseUrl, headers, organizationId, channelId }: Owner): Promise<void> {
  const span = { since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z', statuses: ['exhausted'] };
  const email = `${randomBytes(4).toString('hex')}@example.com`;
  const things: readonly (readonly [string, unknown])[] = [
    [`POST /channels/${channelId}/listeners`, { label: `attack ${randomBytes(3).toString('hex')}` }],
    [`POST /organizations/${organizationId}/onboarding-links`, { label: 'attacked', channelType: 'chatapp' }],
    ['POST /replays', { scope: `channel:${channelId}`, ...span }],
    [`POST /organizations/${organizationId}/invitations`, { email, role: 'member' }],
    [
      `POST /channels/${channelId}/subscriptions`,
      { url: 'https://example.com/attacked', events: ['chatapp.message.received'] },
    ],
  ];
  for (const [route, body] of things) await call(baseUrl, route, { headers, body });
}

async function listedIds({ baseUrl, headers, organizationId, channelId }: Owner) {
  const lists: readonly (readonly [IdKind, string])[] = [
    ['user', `/organizations/${organizationId}/members`],
    ['delivery', '/deliveries'],
    ['subscription', `/channels/${channelId}/subscriptions`],
    ['container', `/channels/${channelId}/photoapp/containers`],
    ['invitation', `/organizations/${organizationId}/invitations`],
    ['onboardingLink', `/organizations/${organizationId}/onboarding-links`],
    ['listener', `/channels/${channelId}/listeners`],
    ['replay', '/replays'],
  ];
  const found = lists.map(async ([kind, path]) => {
    const { text } = await call(baseUrl, `GET ${path}`, { headers });
    return [kind, new RegExp(`${idPrefixes[kind]}[A-Za-z0-9]{8}`).exec(text)?.[0]] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

async function heldChannel(settings: DemoSettings) {
  const {
    BASE_URL: baseUrl = '',
    SERVICE_API_KEY: key = '',
    PAGEAPP_CHANNEL_ID: channelId,
    PAGEAPP_RESOURCE_ID: resourceId,
  } = settings;
  if (!channelId || !resourceId) return undefined;
  const headers = { authorization: `Bearer ${key}`, 'x-workspace-id': settings['SERVICE_WORKSPACE_ID'] ?? '' };
  const token = objectIn((await call(baseUrl, `GET /platform/channels/${channelId}/token`, { headers })).text)?.[
    'token'
  ];
  return typeof token === 'string' ? { token, resourceId } : undefined;
}

function apiProcess(baseUrl: string): { apiPid?: number } {
  const isOurs = (pid: string): boolean => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('api/main.ts')) return false;
      return readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .includes(`API_PORT=${new URL(baseUrl).port}`);
    } catch {
      return false;
    }
  };
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const pid = pids.find(isOurs);
  return pid === undefined ? {} : { apiPid: Number(pid) };
}
