import { ApiError } from '../../client/errors.ts';
import { grantableScopes, type Scope, scopes as allScopes } from '../../contract/identity/scopes.ts';
import { parseList } from '../commands/arguments.ts';
import { command } from '../commands/definition.ts';
import { type Flags, type Given, words } from '../commands/flags.ts';
import { CliError, usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type Credential, changeProfile, type PendingLogin, profileOf, readProfiles } from '../profiles/profiles.ts';
import { formatTime } from '../terminal/output.ts';
import { ask, canAsk, readSecretLine } from '../terminal/prompt.ts';
import type { Run } from '../commands/run.ts';
import { sessionOf } from '../profiles/session.ts';
import { identityFields, identityOf } from './whoami.ts';

/** The service ends a registration after as many wrong codes. */
const MAX_CODES = 5;

const flags = {
  email: ['--email <address>', 'email address that receives the code'],
  scopes: [
    '--scopes <list>',
    'scopes of the key: read, operate, develop, all, or a comma-separated list (default: operate)',
    words,
  ],
  code: ['--code <code>', 'code from the email; completes the login that this profile began'],
  codeStdin: ['--code-stdin', 'read the code from standard input'],
  registration: ['--registration <id>', 'ID of another registration to complete'],
  session: ['--session', 'start a user session, which can also manage API keys'],
  keyStdin: ['--key-stdin', 'save an existing API key, read from standard input'],
} as const satisfies Flags;
type LoginOptions = Given<typeof flags>;

export const login = command('login', {
  summary: 'Sign in with an emailed code and save the key in the profile',
  examples: [
    '',
    '--email me@example.com --scopes read',
    '--email me@example.com        # without a terminal: only sends the code',
    '--code 123456                 # then completes that login, at the same service',
    '--session --email me@example.com',
    '--key-stdin < key.txt',
  ],
  flags,
  async run(run, _, options) {
    assertOptions(run, options);
    const { keyStdin, registration, code, codeStdin } = options;
    const baseUrl = run.settings.profileUrl.value;
    if (keyStdin) {
      const apiKey = await readSecretLine(run.world, 'API key');
      return await keep(run, { baseUrl, credential: { kind: 'key', apiKey } });
    }
    const isContinued = registration !== undefined || code !== undefined || (codeStdin && options.email === undefined);
    const pending = isContinued ? await begun(run, options) : await claim(run, options);
    if (pending === undefined) return;
    const credential = await completed(run, pending, options);
    await keep(run, { baseUrl: pending.baseUrl, credential });
  },
});

function assertOptions({ world }: Run, options: LoginOptions): void {
  const { keyStdin, registration, code, codeStdin, session, scopes, email } = options;
  if (session && (scopes || keyStdin)) throw usageError('--session cannot be combined with --scopes or --key-stdin.');
  if (code !== undefined && (codeStdin || email !== undefined))
    throw usageError('--code cannot be combined with --code-stdin or --email.');
  if (registration !== undefined && code === undefined && !codeStdin && !canAsk(world)) {
    const hint = 'For example: channels login --registration … --code 123456';
    throw usageError('--registration requires --code or --code-stdin without a terminal.', hint);
  }
}

/** Returns the login that an earlier command began. The code goes to the service that sent it, and to no other. */
async function begun(run: Run, { registration, session }: LoginOptions): Promise<PendingLogin> {
  const { profileName, profileUrl } = run.settings;
  const pending = profileOf(await readProfiles(run.world.configFolder), profileName)?.pendingLogin;
  if (registration !== undefined && registration !== pending?.registrationId) {
    return { baseUrl: profileUrl.value, registrationId: registration, isSession: session === true };
  }
  if (pending === undefined) {
    throw usageError(`Profile ${profileName} waits for no code.`, 'Request one: `channels login --email <address>`.');
  }
  if (profileUrl.source === 'flag' && profileUrl.value !== pending.baseUrl) {
    const hint = 'Omit --base-url, or request a code from the other service with `channels login --email <address>`.';
    throw usageError(`The code comes from ${pending.baseUrl}, not from ${profileUrl.value}.`, hint);
  }
  return pending;
}

/** Returns undefined without a terminal. Another command then completes the login. */
async function claim(run: Run, options: LoginOptions): Promise<PendingLogin | undefined> {
  const { output, world, settings } = run;
  const { profileName } = settings;
  const email = options.email ?? (await askFor(run, 'Email address: ', '--email'));
  const claimed = options.session
    ? await run.anonymous().post('/auth/sign-in', { body: { email } })
    : await run.anonymous().post('/agent/auth/claim', {
        body: {
          email,
          scopes: await wantedScopes(run, options.scopes),
          ...omitUndefined({ organizationId: settings.organizationId?.value }),
        },
      });
  const { registrationId, expiresAt } = claimed;
  const baseUrl = settings.profileUrl.value;
  const pending: PendingLogin = { baseUrl, registrationId, isSession: options.session === true };
  // The command with the code needs no address.
  await changeProfile(world.configFolder, profileName, (profile) => ({ ...profile, pendingLogin: pending }));
  output.note(`We sent a code to ${email}. It expires at ${formatTime(expiresAt)} UTC.`);
  if (options.codeStdin || canAsk(world)) return pending;
  const profile = settings.profileName === 'default' ? '' : ` --profile ${profileName}`;
  output.done(claimed, `To continue: channels login${profile} --code <code>`);
  return undefined;
}

async function askFor({ world }: Run, question: string, flag: string): Promise<string> {
  if (!canAsk(world)) throw usageError('Standard input is not a terminal.', `Use ${flag}.`);
  return await ask(world, question);
}

/** Asks again after a wrong code, as long as the service accepts another one. */
async function completed(run: Run, pending: PendingLogin, { code, codeStdin }: LoginOptions): Promise<Credential> {
  if (code !== undefined) return await complete(run, pending, code);
  if (codeStdin) return await complete(run, pending, await readSecretLine(run.world, 'code'));
  for (let left = MAX_CODES - 1; ; left--) {
    const typed = await ask(run.world, 'Code from the email: ');
    try {
      return await complete(run, pending, typed);
    } catch (error) {
      if (left === 0 || !isWrongCode(error)) throw error;
      run.output.warn(`${error.message} Try again.`);
    }
  }
}

function isWrongCode(error: unknown): error is Error {
  return error instanceof CliError || (error instanceof ApiError && error.code === 'OTP_INVALID');
}

async function complete(run: Run, { baseUrl, registrationId, isSession }: PendingLogin, code: string) {
  const otp = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(otp)) throw usageError('Invalid code. Enter the six digits from the email.');
  const client = run.anonymous(baseUrl);
  const body = { registrationId, otp };
  if (isSession) return sessionOf(await client.post('/auth/sign-in/complete', { body }), run.world.now());
  const { accessToken } = await client.post('/agent/auth/claim/complete', { body });
  return { kind: 'key', apiKey: accessToken } as const;
}

interface SignedIn {
  readonly baseUrl: string;
  readonly credential: Credential;
}

async function keep(run: Run, { baseUrl, credential }: SignedIn): Promise<void> {
  const { settings, world, output } = run;
  const secret = credential.kind === 'key' ? credential.apiKey : credential.accessToken;
  const identity = await identityOf(run, { baseUrl, credential: secret });
  await changeProfile(world.configFolder, settings.profileName, (profile) => ({
    // Stored IDs belong to the previous service.
    ...(profile.baseUrl === baseUrl &&
      omitUndefined({ workspaceId: profile.workspaceId, organizationId: profile.organizationId })),
    baseUrl,
    credential,
  }));
  output.record({ profile: settings.profileName, baseUrl, ...identity }, [
    ['Signed in', { text: identity.user.email ?? identity.credential.id, tone: 'good' }],
    ['Profile', settings.profileName],
    ['Service', baseUrl],
    ...identityFields(identity),
  ]);
  if (world.env['SERVICE_API_KEY'])
    output.warn(
      'SERVICE_API_KEY is set and overrides the credential and URL of this profile. Unset it to use the profile.',
    );
}

const READING: readonly Scope[] = ['workspace.read', 'channel.read', 'messages.read', 'deliveries.read'];
const OPERATING = grantableScopes({ role: 'member', isDeveloper: false });
const DEVELOPING = grantableScopes({ role: 'member', isDeveloper: true });
const presets: Readonly<Record<string, readonly Scope[]>> = {
  read: READING,
  operate: OPERATING,
  develop: DEVELOPING,
  all: allScopes,
};

async function wantedScopes({ world }: Run, words: readonly string[] | undefined): Promise<Scope[]> {
  if (words !== undefined) return scopesFrom(words);
  if (!canAsk(world)) return [...OPERATING];
  world.stderr.write('Choose the scopes of this key:\n  read     view channels, messages and deliveries\n');
  world.stderr.write(
    '  operate  also connect, send, publish, set webhooks and replay\n  develop  also reveal channel tokens and secrets\n  all      also manage workspaces and credentials\n',
  );
  const answer = await ask(world, 'Scopes (read, operate, develop, all or a list) [operate]: ');
  return scopesFrom(parseList(answer === '' ? 'operate' : answer));
}

function scopesFrom(words: readonly string[]): Scope[] {
  const found = words.flatMap((word) => presetOf(word) ?? allScopes.filter((scope) => scope === word));
  const wrong = words.find((word) => presetOf(word) === undefined && !allScopes.some((scope) => scope === word));
  if (wrong !== undefined)
    throw usageError(
      `Unknown scope '${wrong}'.`,
      `Use read, operate, develop, all, or a list of ${allScopes.join(', ')}.`,
    );
  return [...new Set(found)];
}

function presetOf(word: string): readonly Scope[] | undefined {
  return Object.hasOwn(presets, word) ? presets[word] : undefined;
}
