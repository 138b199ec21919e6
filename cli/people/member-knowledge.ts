import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { leaf, listed } from '../commands/arguments.ts';
import { given } from '../commands/given.ts';
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
} from '../reveals/revealed.ts';
import type { Act, Run } from '../commands/run.ts';

/** The commands about what a person has read and made, also after they left. */
export function addMemberKnowledge(members: Command, act: Act): void {
  withPages(
    leaf(members, 'reveals <person>', {
      summary: 'Lists the secrets that a person, their keys and their agents have read',
      examples: ['channels members reveals usr_8kLm3Qz1'],
    }),
  ).action(act(reveals));
  withPages(
    leaf(members, 'keys <person>', {
      summary: 'Lists the valid API keys that a person made or was shown',
      examples: ['channels members keys usr_8kLm3Qz1'],
    }),
  ).action(act(keys));
  withRotation(
    leaf(members, 'rotate-revealed <person>', {
      summary: 'Rotates the secrets that a person, their keys and their agents have read',
      examples: ['channels members rotate-revealed usr_8kLm3Qz1 --overlap 86400'],
    }),
  ).action(
    act(async (run: Run, usr: string, options: RotateOptions) => {
      showRotations(run, await rotateMemberReveals(run, usr, options));
    }),
  );
  leaf(members, 'revoke-keys <person>', {
    summary: 'Revokes API keys that a person made, all of them unless named; in a session only',
    examples: ['channels members revoke-keys usr_8kLm3Qz1 --keys key_8kLm3Qz1'],
  })
    .option('--keys <ids>', 'only these keys', listed)
    .option('--yes', 'do not ask')
    .action(act(revokeKeys));
}

async function reveals(run: Run, usr: string, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'reveals',
    empty: 'The person has read no secrets.',
    columns: revealColumns,
    read: (query) =>
      client.get('/organizations/{org}/members/{usr}/reveals', { params: { path: { org, usr }, query } }),
  });
}

async function keys(run: Run, usr: string, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'keys',
    empty: 'The person made no keys that are still valid.',
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
  const body = given({ keyIds: keyIds && [...keyIds] });
  return await (await run.client()).post('/organizations/{org}/members/{usr}/revoke-keys', { params, body });
}

async function revokeKeys(run: Run, ...[usr, options]: [string, { keys?: string[]; yes?: boolean }]): Promise<void> {
  await confirm(run.world, `Revoke ${options.keys?.join(', ') ?? `the keys that ${usr} made`}?`, options);
  const revoked = await revokeMemberKeys(run, usr, options.keys);
  run.output.done(revoked, `${revoked.revokedKeyIds.length} keys are revoked.`);
}
