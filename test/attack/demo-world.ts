import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type IdKind, idPrefixes } from '../../contract/ids.ts';
import { parseCidrs } from '../../contract/addresses.ts';
import { organizationsOf, peopleOf } from './demo-people.ts';
import { call } from './http-call.ts';
import { objectIn } from './judge.ts';
import type { AttackedTenant, World } from './world.ts';

/** What `.data/demo.env` says, or the same names in the environment. */
export type DemoSettings = Readonly<Record<string, string | undefined>>;

/** Reads a service with the demo's tenants: the second organization attacks the first one. */
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
    ...{ apiKey, own, victim, ...people },
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

/** The tenant of a key with real ids, as far as its lists have any. */
async function tenantOf(
  baseUrl: string,
  apiKey: string,
  { workspaceId = '', channelId = '' }: Place,
): Promise<AttackedTenant> {
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId };
  const [organization] = await organizationsOf(baseUrl, headers);
  const organizationId = organization?.organizationId ?? '';
  const listener = { label: `attack ${randomBytes(3).toString('hex')}` };
  await call(baseUrl, `POST /channels/${channelId}/listeners`, { headers, body: listener });
  const link = { label: 'attacked', channelType: 'chatapp' };
  await call(baseUrl, `POST /organizations/${organizationId}/onboarding-links`, { headers, body: link });
  const span = {
    scope: `channel:${channelId}`,
    since: '2020-01-01T00:00:00Z',
    until: '2020-01-02T00:00:00Z',
    statuses: ['exhausted'],
  };
  await call(baseUrl, 'POST /replays', { headers, body: span });
  const invitation = { email: `${randomBytes(4).toString('hex')}@example.com`, organizationRole: 'member' };
  await call(baseUrl, `POST /organizations/${organizationId}/invitations`, { headers, body: invitation });
  const events = ['chatapp.message.received'];
  await call(baseUrl, `POST /channels/${channelId}/subscriptions`, {
    headers,
    body: { url: 'https://example.com/attacked', events },
  });
  const first = async (path: string, pattern: RegExp): Promise<string | undefined> =>
    pattern.exec((await call(baseUrl, `GET ${path}`, { headers })).text)?.[0];
  const listed = async (kind: IdKind, path: string) =>
    [kind, await first(path, new RegExp(`${idPrefixes[kind]}[A-Za-z0-9]{8}`))] as const;
  const ids: Partial<Record<IdKind, string | undefined>> = {
    ...{ organization: organizationId, workspace: workspaceId, channel: channelId },
    ...Object.fromEntries(
      await Promise.all([
        listed('user', `/organizations/${organizationId}/members`),
        listed('delivery', '/deliveries'),
        listed('subscription', `/channels/${channelId}/subscriptions`),
        listed('container', `/channels/${channelId}/photoapp/containers`),
        listed('invitation', `/organizations/${organizationId}/invitations`),
        listed('onboardingLink', `/organizations/${organizationId}/onboarding-links`),
        listed('listener', `/channels/${channelId}/listeners`),
        listed('replay', '/replays'),
      ]),
    ),
  };
  const email = /[\w.]+@demo\.example/.exec(
    (await call(baseUrl, `GET /organizations/${organizationId}/members`, { headers })).text,
  )?.[0];
  return {
    ...{ organizationId, workspaceId, channelId },
    id: (kind) => (kind === 'platformId' ? '1234567890' : (ids[kind] ?? `${idPrefixes[kind]}AAAAAAAA`)),
    marks: email === undefined ? [] : [email],
  };
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

/** The process that listens at this address, where the system tells. */
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
