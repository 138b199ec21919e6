import type { Schema } from '../../client/create-client.ts';
import { confirm } from '../terminal/prompt.ts';
import { acceptsOffer, type MemberKey, noteReveals, readEvery, showRotations } from '../reveals/reveals.ts';
import type { Run } from '../commands/run.ts';
import { revokeMemberKeys, rotateMemberReveals } from './member-secrets.ts';

interface RemoveOptions {
  readonly of?: string;
  readonly yes?: boolean;
  readonly revokeKeys?: boolean;
  readonly rotateRevealed?: boolean;
}

export async function removeMember(run: Run, usr: string, options: RemoveOptions): Promise<void> {
  const { of: ws, yes } = options;
  if (ws !== undefined) return await removeFromWorkspace(run, { ws, usr, yes });
  const [client, org] = [await run.client(), await run.organizationId()];
  const known = await readKnownSecrets(run, usr);
  await confirm(run.world, `Remove ${usr} from the organization?`, { yes });
  await client.delete('/organizations/{org}/members/{usr}', { params: { path: { org, usr } } });
  run.output.note(`Removed ${usr} from the organization.`);
  const { made } = known;
  const revokes =
    made.length > 0 &&
    (await acceptsOffer(run, `Revoke the ${made.length} keys that they created?`, { option: options.revokeKeys, yes }));
  const rotates =
    known.currentCount > 0 &&
    (await acceptsOffer(run, 'Rotate the secrets revealed to them?', { option: options.rotateRevealed, yes }));
  const revoked = revokes ? await revokeMemberKeys(run, usr, undefined) : undefined;
  const rotated = rotates ? await rotateMemberReveals(run, usr, {}) : undefined;
  if (run.output.isJson) return run.output.json({ userId: usr, removed: true, ...revoked, ...rotated });
  printOutcome(run, { usr, made, currentCount: known.currentCount, revoked, rotated });
}

interface KnownSecrets {
  readonly currentCount: number;
  readonly made: readonly MemberKey[];
}

async function readKnownSecrets(run: Run, usr: string): Promise<KnownSecrets> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const path = { org, usr };
  const reveals = await readEvery('reveals', (query) =>
    client.get('/organizations/{org}/members/{usr}/reveals', { params: { path, query } }),
  );
  const keys = await readEvery('keys', (query) =>
    client.get('/organizations/{org}/members/{usr}/keys', { params: { path, query } }),
  );
  const currentCount = noteReveals(run, reveals);
  for (const { keyId, name, relation } of keys ?? []) {
    run.output.note(`${relation === 'made' ? 'Created' : 'Revealed'}: ${keyId} (${name})`);
  }
  // The removal revokes the keys of their agents.
  return { currentCount, made: (keys ?? []).filter(({ relation, scopes }) => relation === 'made' && scopes === null) };
}

interface Outcome extends KnownSecrets {
  readonly usr: string;
  readonly revoked: Schema<'MemberKeyRevocation'> | undefined;
  readonly rotated: Schema<'RevealedRotationList'> | undefined;
}

function printOutcome(run: Run, { usr, made, currentCount, revoked, rotated }: Outcome): void {
  const { output } = run;
  if (revoked) output.line(`Revoked ${revoked.revokedKeyIds.length} keys.`);
  else if (made.length > 0)
    output.note(`Keys that they created stay valid. To revoke them: channels members revoke-keys ${usr}`);
  if (rotated) showRotations(run, rotated);
  else if (currentCount > 0)
    output.note(`Secrets revealed to them stay valid. To rotate them: channels members rotate-revealed ${usr}`);
}

async function removeFromWorkspace(
  run: Run,
  { yes, ...path }: { ws: string; usr: string; yes: boolean | undefined },
): Promise<void> {
  await confirm(run.world, `Remove ${path.usr} from ${path.ws}?`, { yes });
  await (await run.client()).delete('/workspaces/{ws}/members/{usr}', { params: { path } });
  run.output.done({ userId: path.usr, removed: true }, `Removed ${path.usr} from ${path.ws}.`);
}
