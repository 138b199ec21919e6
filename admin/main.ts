import { safeBlock, safeJson } from '../contract/text/safe-text.ts';
import { loadConfig } from '../process/config.ts';
import { createBodyBox } from '../db/core/body-box.ts';
import { connectDatabase } from '../db/core/connect-database.ts';
import { createSecretBox, type RingKey } from '../db/core/secret-box.ts';
import { createSigningRing } from '../db/core/signing-keys.ts';
import { asConnectionRefusal } from '../db/upkeep/open-installation.ts';
import { StartRefused } from '../process/stop-signals.ts';
import { commands } from './commands.ts';
import type { AdminDeps, Command } from './commands/deps.ts';
import { CommandFailed, UsageError } from './commands/options.ts';

/** A command prints one JSON line on success, and `status` text. Errors go to standard error. */
const [name = '', ...args] = process.argv.slice(2);
const command: Command | undefined = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (name === '' || name === '--help') {
  process.stdout.write(usage());
} else if (!command) {
  process.stderr.write(`Unknown command '${name}'. Use one of: ${Object.keys(commands).join(', ')}.\n`);
  process.exitCode = 2;
} else if (args.includes('--help')) {
  process.stdout.write(`Usage: npm run admin -- ${`${name} ${command.usage}`.trimEnd()}\n\n${command.summary}\n`);
} else {
  process.exitCode = await run(command);
}

async function run({ run: act, isWithoutDatabase = false }: Command): Promise<number> {
  const config = loadConfig({
    reader: 'admin',
    required: isWithoutDatabase ? [] : ['databaseUrl'],
    hint: 'Run `set -a; . .data/demo.env; set +a` first for an installation of `npm start`.',
  });
  const db = connectDatabase({ url: config.databaseUrl ?? 'postgres:', applicationName: 'service-admin' });
  const keyRing = (): readonly RingKey[] => {
    if (!config.encryptionKeys)
      throw new UsageError('ENCRYPTION_KEYS is not set. Set it to the keys of this installation.');
    return config.encryptionKeys;
  };
  const deps: AdminDeps = {
    db,
    config,
    secretBox: () => createSecretBox(keyRing()),
    signingRing: () => createSigningRing(keyRing()),
    bodyBox: () => createBodyBox({ keys: keyRing(), encryptsBodies: config.encryptEventBodies }),
    readInput: readStdin,
  };
  try {
    const result = await act(deps, args);
    process.stdout.write(`${typeof result === 'string' ? safeBlock(result) : safeJson(result)}\n`);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    if (error instanceof CommandFailed) {
      process.stdout.write(`${safeJson(error.report)}\n`);
      process.stderr.write(`${name}: ${error.message}\n`);
      return 1;
    }
    process.stderr.write(`${name}: ${isUsage ? String(error) : failureText(error)}\n`);
    return isUsage ? 2 : 1;
  } finally {
    await db.destroy();
  }
}

function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartRefused) return error.message;
  return asConnectionRefusal(error)?.message ?? error.stack ?? error.message;
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8').trim();
}

function usage(): string {
  const lines = Object.entries(commands).map(
    ([key, { usage: options, summary }]) => `  ${key} ${options}\n      ${summary}\n`,
  );
  return `Usage: npm run admin -- <command> [options]\n\n${lines.join('')}`;
}
