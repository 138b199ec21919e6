import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { addCommand, parseList } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { confirm } from '../terminal/prompt.ts';
import {
  keyColumns,
  revealColumns,
  rotationBody,
  type RotateOptions,
  type Rotations,
  showRotations,
  withRotation,
} from '../reveals/reveals.ts';
import type { Act, Run } from '../commands/run.ts';

export function addMemberSecrets(members: Command, act: Act): void {
  withPages(
    addCommand(members, 'reveals <person>', {
      summary: 'List secrets revealed to a member, their keys and their agents',
      examples: ['channels members reveals usr_8kLm3Qz1'],
    }),
  ).action(act(reveals));
  withPages(
    addCommand(members, 'keys <person>', {
      summary: 'List valid API keys that a member created or revealed',
      examples: ['channels members keys usr_8kLm3Qz1'],
    }),
  ).action(act(keys));
  withRotation(
    addCommand(members, 'rotate-revealed <person>', {
      summary: 'Rotate secrets revealed to a member, their keys and their agents',
      examples: ['channels members rotate-revealed usr_8kLm3Qz1 --overlap 86400'],
    }),
  ).action(
    act(async (run: Run, usr: string, options: RotateOptions) => {
      showRotations(run, await rotateMemberReveals(run, usr, options));
    }),
  );
  addCommand(members, 'revoke-keys <person>', {
    summary: 'Revoke API keys that a member created; requires a session',
    examples: ['channels members revoke-keys usr_8kLm3Qz1 --keys key_8kLm3Qz1'],
  })
    .option('--keys <ids>', 'IDs of the keys to revoke, comma-separated (default: all)', parseList)
    .option('--yes', 'skip the confirmation')
    .action(act(revokeKeys));
}

async function reveals(run: Run, usr: string, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'reveals',
    empty: 'No secrets were revealed to this member.',
    columns: revealColumns,
    read: (query) =>
      client.get('/organizations/{org}/members/{usr}/reveals', { params: { path: { org, usr }, query } }),
  });
}

async function keys(run: Run, usr: string, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'keys',
    empty: 'This member knows no valid keys.',
    columns: keyColumns,
    read: (query) => client.get('/organizations/{org}/members/{usr}/keys', { params: { path: { org, usr }, query } }),
  });
}

export async function rotateMemberReveals(run: Run, usr: string, options: RotateOptions): Promise<Rotations> {
  const params = { path: { org: await run.organizationId(), usr } };
  const client = await run.client();
  return await client.post('/organizations/{org}/members/{usr}/rotate-revealed', {
    params,
    body: rotationBody(options),
  });
}

export async function revokeMemberKeys(
  run: Run,
  usr: string,
  keyIds: readonly string[] | undefined,
): Promise<Schema<'MemberKeyRevocation'>> {
  const params = { path: { org: await run.organizationId(), usr } };
  const body = omitUndefined({ keyIds: keyIds && [...keyIds] });
  return await (await run.client()).post('/organizations/{org}/members/{usr}/revoke-keys', { params, body });
}

async function revokeKeys(run: Run, ...[usr, options]: [string, { keys?: string[]; yes?: boolean }]): Promise<void> {
  await confirm(run.world, `Revoke ${options.keys?.join(', ') ?? `all keys that ${usr} created`}?`, options);
  const revoked = await revokeMemberKeys(run, usr, options.keys);
  run.output.done(revoked, `Revoked ${revoked.revokedKeyIds.length} keys.`);
}
