import type { Command } from 'commander';
import { grantableScopes, type Scope, scopes as allScopes } from '../../contract/identity/scopes.ts';
import { addCommand, parseList } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type Credential, changeProfile } from '../profiles/profiles.ts';
import { ask, canAsk, readSecretLine } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { sessionOf } from '../profiles/session.ts';
import { identityFields, identityOf } from './whoami.ts';

interface LoginOptions {
  readonly email?: string;
  readonly scopes?: readonly string[];
  readonly registration?: string;
  readonly codeStdin?: boolean;
  readonly keyStdin?: boolean;
  readonly session?: boolean;
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

export function addLogin(program: Command, act: Act): void {
  addCommand(program, 'login', {
    summary: 'Sign in with an emailed code and save the key in the profile',
    examples: [
      'channels login',
      'channels login --email me@example.com --scopes read',
      'channels login --email me@example.com        # without a terminal: sends the code and prints the registration ID',
      'echo 123456 | channels login --registration reg_4fT9aPq2 --code-stdin',
      'channels login --session --email me@example.com',
      'channels login --key-stdin < key.txt',
    ],
  })
    .option('--email <address>', 'email address that receives the code')
    .option(
      '--scopes <list>',
      'scopes of the key: read, operate, develop, all, or a comma-separated list (default: operate)',
      parseList,
    )
    .option('--registration <id>', 'ID of an earlier registration to complete')
    .option('--code-stdin', 'read the code from standard input')
    .option('--session', 'start a user session, which can also manage API keys')
    .option('--key-stdin', 'save an existing API key, read from standard input')
    .action(act(login));
}

async function login(run: Run, options: LoginOptions): Promise<void> {
  const { keyStdin, registration, codeStdin, session, scopes } = options;
  if (session && (scopes || keyStdin)) throw usageError('--session cannot be combined with --scopes or --key-stdin.');
  if (keyStdin) {
    const apiKey = await readSecretLine(run.world, 'API key');
    return await keep(run, { kind: 'key', apiKey });
  }
  if (registration !== undefined && !codeStdin && !canAsk(run.world)) {
    throw usageError(
      '--registration requires --code-stdin without a terminal.',
      'For example: echo 123456 | channels login --registration … --code-stdin',
    );
  }
  const registrationId = registration ?? (await claim(run, options));
  if (registrationId === undefined) return;
  const otp = codeStdin ? await readSecretLine(run.world, 'code') : await ask(run.world, 'Code from the email: ');
  await keep(run, await complete(run, { registrationId, otp: otp.replaceAll(/\s/g, ''), isSession: session === true }));
}

/** Returns undefined without a terminal. Another command then completes the login. */
async function claim(run: Run, options: LoginOptions): Promise<string | undefined> {
  const { output, world } = run;
  const email = options.email ?? (await askFor(run, 'Email address: ', '--email'));
  const claimed = options.session
    ? await run.anonymous().post('/auth/sign-in', { body: { email } })
    : await run.anonymous().post('/agent/auth/claim', {
        body: {
          email,
          scopes: await wantedScopes(run, options.scopes),
          ...omitUndefined({ organizationId: run.settings.organizationId?.value }),
        },
      });
  const { registrationId, expiresAt } = claimed;
  output.note(`We sent a code to ${email}. It expires at ${expiresAt}.`);
  if (options.codeStdin || canAsk(world)) return registrationId;
  const more = options.session ? ' --session' : '';
  output.done(
    claimed,
    `To continue: echo <code> | channels login${more} --registration ${registrationId} --code-stdin`,
  );
  return undefined;
}

async function askFor({ world }: Run, question: string, flag: string): Promise<string> {
  if (!canAsk(world)) throw usageError('Standard input is not a terminal.', `Use ${flag}.`);
  return await ask(world, question);
}

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

interface Completion {
  readonly registrationId: string;
  readonly otp: string;
  readonly isSession: boolean;
}

async function complete(run: Run, { isSession, ...body }: Completion): Promise<Credential> {
  if (!/^\d{6}$/.test(body.otp)) throw usageError('Invalid code. Enter the six digits from the email.');
  if (isSession) return sessionOf(await run.anonymous().post('/auth/sign-in/complete', { body }), run.world.now());
  const { accessToken } = await run.anonymous().post('/agent/auth/claim/complete', { body });
  return { kind: 'key', apiKey: accessToken };
}

async function keep(run: Run, credential: Credential): Promise<void> {
  const { settings, world, output } = run;
  const baseUrl = settings.profileUrl.value;
  const identity = await identityOf(run, credential.kind === 'key' ? credential.apiKey : credential.accessToken);
  await changeProfile(world.configFolder, settings.profileName, (profile) => ({
    // Stored IDs belong to the previous service.
    ...(profile.baseUrl === baseUrl &&
      omitUndefined({ workspaceId: profile.workspaceId, organizationId: profile.organizationId })),
    baseUrl,
    credential,
  }));
  output.record({ profile: settings.profileName, baseUrl, ...identity }, [
    ['Signed in', { text: identity.user.email, tone: 'good' }],
    ['Profile', settings.profileName],
    ['Service', baseUrl],
    ...identityFields(identity),
  ]);
  if (world.env['SERVICE_API_KEY'])
    output.warn(
      'SERVICE_API_KEY is set and overrides the credential and URL of this profile. Unset it to use the profile.',
    );
}
