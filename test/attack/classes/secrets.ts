import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { workflowTexts } from '../../harness/system/canaries.ts';
import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { formsOf, tablesWith } from './database-needles.ts';
import { call } from '../cases/http-call.ts';
import { envelopeOf, postSigned } from '../cases/signed-events.ts';
import { objectIn } from '../cases/response-problems.ts';
import { mailedCode } from './sign-in.ts';
import type { World } from '../cases/world.ts';

/** Puts secrets into the service by normal use, and searches everything that operators can read. */
export const secrets: AttackClass = {
  name: 'secrets',
  concurrency: 1,
  missing: ({ databaseUrl, logPath, temporalAddress }) =>
    (databaseUrl ?? logPath ?? temporalAddress) === undefined ? 'no database, log or Temporal was given' : undefined,
  async cases(world) {
    const needles = await plant(world);
    return [
      ...inTables(world, needles),
      ...inLogs(world, needles),
      ...(await inWorkflows(world, needles)),
      ...inErrors(world, needles),
    ];
  },
};

interface Needle {
  readonly name: string;
  readonly text: string;
  /** True if tables may contain the value, such as destinations and events. */
  readonly isData?: boolean;
}

const canary = (name: string): string => `${name}-${randomBytes(12).toString('hex')}`;
const SCAN_DEADLINE_MS = 120_000;

async function plant(world: World): Promise<Needle[]> {
  const { baseUrl, apiKey, own, mailInboxUrl, session, held } = world;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': own.workspaceId };
  const verifyToken = canary('verify');
  const urlValue = canary('url');
  const queryValue = canary('query');
  const wrongKey = `hmok_${canary('key')}`;
  const body = { webhookUrl: `http://127.0.0.1:1/?key=${urlValue}`, verifyToken };
  await call(baseUrl, `PUT /webhook-config/${own.channelId}`, { headers, body });
  await call(baseUrl, `GET /platform/channels?cursor=${queryValue}`, {
    headers: { ...headers, authorization: `Bearer ${wrongKey}` },
  });
  const token = objectIn((await call(baseUrl, `GET /platform/channels/${own.channelId}/token`, { headers })).text)?.[
    'token'
  ];
  const secret = objectIn((await call(baseUrl, `GET /webhook-config/${own.channelId}/hmac`, { headers })).text)?.[
    'hmacSecret'
  ];
  const needles: Readonly<Record<string, unknown>> = {
    'the verify token': verifyToken,
    'a value of a refused query': queryValue,
    'a wrong API key': wrongKey,
    'the API key': apiKey,
    'the channel token': token,
    'the other channel token': held?.token,
    'the webhook secret': typeof secret === 'string' ? secret.slice('whsec_'.length) : undefined,
    'the access token': session?.accessToken,
    'the refresh token': session?.refreshToken,
    'the session cookie': session?.cookie.split('=')[1],
    'the secret of the platform': world.platformSecret,
    'the code by mail': mailInboxUrl === undefined ? undefined : await plantCode(baseUrl, mailInboxUrl),
  };
  const found = Object.entries(needles).flatMap(([name, text]) =>
    typeof text === 'string' && text !== '' ? [{ name, text }] : [],
  );
  const url = { name: "a value in a destination's URL", text: urlValue, isData: true };
  return [...found, url, ...(await plantText(world))];
}

async function plantCode(baseUrl: string, mailInboxUrl: string): Promise<string> {
  const email = `${canary('mail')}@example.com`;
  const { otp } = await mailedCode({ baseUrl, mailInboxUrl }, { route: 'POST /auth/sign-in', body: { email } });
  // Six digits alone occur by chance, so the scan searches for the quoted value.
  return `"${otp}"`;
}

async function plantText(world: World): Promise<Needle[]> {
  const { platformSecret, resourceId } = world;
  if (platformSecret === undefined || resourceId === undefined) return [];
  const text = canary('text');
  const message = { id: canary('wamid'), from: '15550001', timestamp: '1', type: 'text', text: { body: text } };
  await postSigned(world, envelopeOf(resourceId, [message]));
  return [{ name: 'the text of an event', text, isData: true }];
}

function inTables({ databaseUrl }: World, needles: readonly Needle[]): AttackCase[] {
  if (databaseUrl === undefined) return [];
  return needles
    .filter(({ isData }) => isData !== true)
    .map(({ name, text }) => ({
      name: `${name} in every table`,
      expectation: 'no table contains it',
      deadlineMs: SCAN_DEADLINE_MS,
      attempt: async () => {
        const tables = await tablesWith(databaseUrl, text);
        return tables.length === 0 ? undefined : `It is in clear in ${tables.join()}.`;
      },
    }));
}

function inLogs({ logPath }: World, needles: readonly Needle[]): AttackCase[] {
  if (logPath === undefined || !existsSync(logPath)) return [];
  return needles.map(({ name, text }) => ({
    name: `${name} in the logs`,
    expectation: 'no line contains it',
    attempt: async () => {
      const line = readFileSync(logPath, 'utf8')
        .split('\n')
        .find((one) => formsOf(text).some((form) => one.includes(form)));
      return line === undefined ? undefined : `It is in ${line.slice(0, 200)}`;
    },
  }));
}

async function inWorkflows(
  { temporalAddress, temporalNamespace = 'default' }: World,
  needles: readonly Needle[],
): Promise<AttackCase[]> {
  if (temporalAddress === undefined) return [];
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const texts = await workflowTexts(new Client({ connection, namespace: temporalNamespace }));
    return needles.map(({ name, text }) => ({
      name: `${name} in ${texts.length} workflows`,
      expectation: 'no history, memo or search attribute contains it',
      attempt: async () => texts.find((one) => formsOf(text).some((form) => one.text.includes(form)))?.workflowId,
    }));
  } finally {
    await connection.close();
  }
}

function inErrors({ baseUrl }: World, needles: readonly Needle[]): AttackCase[] {
  return needles.map(({ name, text }) => ({
    name: `${name} in an error`,
    expectation: 'the answer does not repeat it',
    attempt: async () => {
      const sent = encodeURIComponent(text);
      const headers = { authorization: `Bearer ${/^[\x21-\x7e]+$/.test(text) ? text : 'x'}` };
      const answer = await call(baseUrl, `GET /platform/channels/${sent}?limit=${sent}`, { headers });
      return answer.text.includes(text) ? `It answers ${answer.text}` : undefined;
    },
  }));
}
