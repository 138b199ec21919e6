import type { Command } from 'commander';
import { grantableScopes, type Scope, scopes as allScopes } from '../../contract/identity/scopes.ts';
import { leaf, listed } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
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
/** Everything but deciding over people, workspaces and credentials, and seeing secrets. */
const OPERATING = grantableScopes({ role: 'member', isDeveloper: false });
/** The same, and the secrets of channels, which a client is set up with. */
const DEVELOPING = grantableScopes({ role: 'member', isDeveloper: true });
const presets: Readonly<Record<string, readonly Scope[]>> = {
  read: READING,
  operate: OPERATING,
  develop: DEVELOPING,
  all: allScopes,
};

export function addLogin(program: Command, act: Act): void {
  leaf(program, 'login', {
    summary: 'Signs in by a code that comes by e-mail, and keeps the key in the profile',
    examples: [
      'channels login',
      'channels login --email me@example.com --scopes read',
      'channels login --email me@example.com        # without a terminal: sends the code, says the registration',
      'echo 123456 | channels login --registration reg_4fT9aPq2 --code-stdin',
      'channels login --session --email me@example.com',
      'channels login --key-stdin < key.txt',
    ],
  })
    .option('--email <address>', 'where the code goes')
    .option(
      '--scopes <list>',
      'what the key may do: read, operate (unless given), develop, all, or scopes with commas between',
      listed,
    )
    .option('--registration <id>', 'take the code of a registration that was begun before')
    .option('--code-stdin', 'read the code from standard input')
    .option('--session', "begin a person's session, which may also manage API keys")
    .option('--key-stdin', 'keep an API key that there is already, read from standard input')
    .action(act(login));
}

async function login(run: Run, options: LoginOptions): Promise<void> {
  const { keyStdin, registration, codeStdin, session, scopes } = options;
  if (session && (scopes || keyStdin)) throw usageError('--session goes neither with --scopes nor with --key-stdin.');
  if (keyStdin) {
    const apiKey = await readSecretLine(run.world, 'API key');
    return await keep(run, { kind: 'key', apiKey });
  }
  if (registration !== undefined && !codeStdin && !canAsk(run.world)) {
    throw usageError(
      '--registration goes with --code-stdin.',
      'echo 123456 | channels login --registration … --code-stdin',
    );
  }
  const registrationId = registration ?? (await claim(run, options));
  if (registrationId === undefined) return;
  const otp = codeStdin ? await readSecretLine(run.world, 'code') : await ask(run.world, 'Code from the e-mail: ');
  await keep(run, await complete(run, { registrationId, otp: otp.replaceAll(/\s/g, ''), isSession: session === true }));
}

/** Has a code sent; undefined where nobody is there to read it, and the rest is another command. */
async function claim(run: Run, options: LoginOptions): Promise<string | undefined> {
  const { output, world } = run;
  const email = options.email ?? (await askFor(run, 'E-mail address: ', '--email'));
  const claimed = options.session
    ? await run.anonymous().post('/auth/sign-in', { body: { email } })
    : await run.anonymous().post('/agent/auth/claim', {
        body: {
          email,
          scopes: await wantedScopes(run, options.scopes),
          ...given({ organizationId: run.settings.organizationId?.value }),
        },
      });
  const { registrationId, expiresAt } = claimed;
  output.note(`A code is on its way to ${email}, good until ${expiresAt}.`);
  if (options.codeStdin || canAsk(world)) return registrationId;
  const more = options.session ? ' --session' : '';
  output.done(claimed, `Now: echo <code> | channels login${more} --registration ${registrationId} --code-stdin`);
  return undefined;
}

async function askFor({ world }: Run, question: string, flag: string): Promise<string> {
  if (!canAsk(world)) throw usageError(`There is no terminal to ask on.`, `Say ${flag}.`);
  return await ask(world, question);
}

async function wantedScopes({ world }: Run, words: readonly string[] | undefined): Promise<Scope[]> {
  if (words !== undefined) return scopesFrom(words);
  if (!canAsk(world)) return [...OPERATING];
  world.stderr.write('What may this computer do?\n  read     look at channels, messages and deliveries\n');
  world.stderr.write(
    '  operate  also connect, send, publish, set webhooks and replay\n  develop  also see tokens and secrets of channels\n  all      also manage workspaces and credentials\n',
  );
  const answer = await ask(world, 'read, operate, develop, all, or scopes [operate]: ');
  return scopesFrom(listed(answer === '' ? 'operate' : answer));
}

function scopesFrom(words: readonly string[]): Scope[] {
  const found = words.flatMap((word) => presetOf(word) ?? allScopes.filter((scope) => scope === word));
  const wrong = words.find((word) => presetOf(word) === undefined && !allScopes.some((scope) => scope === word));
  if (wrong !== undefined)
    throw usageError(`${wrong} is no scope.`, `There are read, operate, develop, all; ${allScopes.join(', ')}.`);
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
  if (!/^\d{6}$/.test(body.otp)) throw usageError('The code has six digits.');
  if (isSession) return sessionOf(await run.anonymous().post('/auth/sign-in/complete', { body }), run.world.now());
  const { accessToken } = await run.anonymous().post('/agent/auth/claim/complete', { body });
  return { kind: 'key', apiKey: accessToken };
}

/** Makes sure that the credential works before the profile has it. */
async function keep(run: Run, credential: Credential): Promise<void> {
  const { settings, world, output } = run;
  const baseUrl = settings.profileUrl.value;
  const identity = await identityOf(run, credential.kind === 'key' ? credential.apiKey : credential.accessToken);
  await changeProfile(world.configFolder, settings.profileName, (profile) => ({
    // Another service or another person has other workspaces.
    ...(profile.baseUrl === baseUrl &&
      given({ workspaceId: profile.workspaceId, organizationId: profile.organizationId })),
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
    output.warn('SERVICE_API_KEY is set, and wins over the profile, its address too, until it is unset.');
}
