import { type ApiClient, createClient, type Schema } from '../../client/create-client.ts';
import { records } from '../../client/pages.ts';
import { sendAbortable } from '../../client/send-abortable.ts';
import { version } from '../../contract/version.ts';
import { CliError, exitCodes, usageError } from '../terminal/failures.ts';
import type { KeyCredential, SessionCredential } from './profiles.ts';
import { freshSession } from './session.ts';
import { type Settings, unusedAddress, usableCredential } from './settings.ts';
import type { World } from '../terminal/world.ts';

export interface Connection {
  /** Optional: the service. Default: that of the profile. */
  anonymous(baseUrl?: string): ApiClient;
  /** For routes that identify the workspace themselves. A --workspace flag must agree. */
  client(): Promise<ApiClient>;
  inWorkspace(): Promise<ApiClient>;
  /** For requests that must complete after Ctrl-C. */
  clientAfterInterrupt(timeoutMs: number): Promise<ApiClient>;
  /** For support staff. */
  staff(): ApiClient;
  workspaceId(): Promise<string>;
  organizationId(): Promise<string>;
}

const USER_AGENT = `channels-cli/${version}`;

interface Connecting {
  readonly world: World;
  readonly settings: Settings;
  readonly note: (text: string) => void;
}

export function openConnection({ world, settings, note }: Connecting): Connection {
  const { baseUrl, workspaceId, organizationId } = settings;
  const interruptible: World['fetch'] = (request) => sendAbortable(world.fetch, request, world.signal);
  const connect = (credential: string | undefined, workspace?: string): ApiClient =>
    createClient({
      baseUrl: baseUrl.value,
      credential,
      workspaceId: workspace,
      userAgent: USER_AGENT,
      fetch: interruptible,
    });
  const bearer = once(() => {
    const unused = unusedAddress(settings);
    if (unused !== null) note(unused);
    return bearerOf(world, settings);
  });
  const bare = once(async () => connect(await bearer()));
  const organization = once(async () => organizationId?.value ?? onlyOrganization(await bare()));
  const workspace = once(async () => workspaceId?.value ?? (await onlyWorkspace(await bare(), organizationId?.value)));
  return {
    anonymous: (url = settings.profileUrl.value) =>
      createClient({ baseUrl: url, userAgent: USER_AGENT, fetch: interruptible }),
    client: once(async () => connect(await bearer(), workspaceId?.source === 'flag' ? workspaceId.value : undefined)),
    inWorkspace: once(async () => connect(await bearer(), await workspace())),
    clientAfterInterrupt: async (timeoutMs) =>
      createClient({ baseUrl: baseUrl.value, credential: await bearer(), timeoutMs, fetch: world.fetch }),
    staff: () =>
      createClient({ baseUrl: baseUrl.value, credential: staffKey(world), userAgent: USER_AGENT, fetch: world.fetch }),
    workspaceId: workspace,
    organizationId: organization,
  };
}

/** The staff key has its own variable, so that it is never sent where an API key belongs. */
function staffKey({ env }: World): string {
  const key = env['STAFF_API_KEY'];
  if (key) return key;
  const hint = 'Set STAFF_API_KEY. The operator creates a key with `admin create-staff-key`.';
  throw new CliError('No staff key is set.', { exitCode: exitCodes.auth, hint });
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

async function bearerOf(world: World, settings: Settings): Promise<string> {
  const { profileName, baseUrl } = settings;
  const credential: KeyCredential | SessionCredential = usableCredential(settings);
  if (credential.kind === 'key') return credential.apiKey;
  const uninterrupted = (timeoutMs: number): ApiClient =>
    createClient({ baseUrl: baseUrl.value, userAgent: USER_AGENT, timeoutMs, fetch: world.fetch });
  return await freshSession({ world, profileName, uninterrupted }, credential);
}

async function onlyOrganization(client: ApiClient): Promise<string> {
  const { organizations } = await client.get('/auth/session');
  const [only, ...others] = organizations;
  if (only && others.length === 0) return only.organizationId;
  const choices = organizations.map(({ organizationId, name }) => `${organizationId}  ${name}`);
  throw ambiguous('organization', choices);
}

async function onlyWorkspace(client: ApiClient, organizationId: string | undefined): Promise<string> {
  const { organizations } = await client.get('/auth/session');
  const wanted = organizations.filter((one) => organizationId === undefined || one.organizationId === organizationId);
  const workspaces: Schema<'Workspace'>[] = [];
  for (const organization of wanted) {
    const params = { path: { org: organization.organizationId } };
    const read = (cursor: string | undefined) =>
      client.get('/organizations/{org}/workspaces', {
        params: { ...params, query: { limit: 100, ...(cursor && { cursor }) } },
      });
    for await (const one of records(read, (page) => page.workspaces)) workspaces.push(one);
  }
  const [only, ...others] = workspaces;
  if (only && others.length === 0) return only.id;
  throw ambiguous(
    'workspace',
    workspaces.map(({ id, name, kind }) => `${id}  ${name}${kind === 'customer' ? ' (customer)' : ''}`),
  );
}

const LISTED = 20;

function ambiguous(what: 'organization' | 'workspace', choices: readonly string[]): CliError {
  if (choices.length === 0) {
    return new CliError(`This credential has no access to any ${what}.`, { exitCode: exitCodes.failure });
  }
  const more = choices.length > LISTED ? `\n  … and ${choices.length - LISTED} more` : '';
  const list = choices.slice(0, LISTED).map((choice) => `\n  ${choice}`);
  const name = what === 'workspace' ? 'SERVICE_WORKSPACE_ID' : 'SERVICE_ORGANIZATION_ID';
  return usageError(
    `This credential has access to ${choices.length} ${what}s. Choose one:${list.join('')}${more}`,
    `Use --${what} <id>, set ${name}, or save a default: \`channels profiles set --${what} <id>\`.`,
  );
}
