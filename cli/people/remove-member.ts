import type { Schema } from '../../client/create-client.ts';
import { confirm } from '../terminal/prompt.ts';
import { accepts, type MemberKey, noteReveals, readEvery, showRotations } from '../reveals/revealed.ts';
import type { Run } from '../commands/run.ts';
import { revokeMemberKeys, rotateMemberReveals } from './member-knowledge.ts';

interface RemoveOptions {
  /** A workspace's own members instead of the organization's. */
  readonly of?: string;
  readonly yes?: boolean;
  readonly revokeKeys?: boolean;
  readonly rotateRevealed?: boolean;
}

/** Removes a person, and offers to end what they know: nothing of it ends by the removal. */
export async function removeMember(run: Run, usr: string, options: RemoveOptions): Promise<void> {
  const { of: ws, yes } = options;
  if (ws !== undefined) return await removeFromWorkspace(run, { ws, usr, yes });
  const [client, org] = [await run.client(), await run.organizationId()];
  const known = await knowledgeOf(run, usr);
  await confirm(run.world, `Remove ${usr} from the organization?`, { yes });
  await client.delete('/organizations/{org}/members/{usr}', { params: { path: { org, usr } } });
  run.output.note(`${usr} is removed from the organization.`);
  const { made } = known;
  const revokes =
    made.length > 0 && (await accepts(run, `Revoke the ${made.length} keys?`, { option: options.revokeKeys, yes }));
  const rotates =
    known.currentCount > 0 &&
    (await accepts(run, 'Rotate what they have read?', { option: options.rotateRevealed, yes }));
  const revoked = revokes ? await revokeMemberKeys(run, usr, undefined) : undefined;
  const rotated = rotates ? await rotateMemberReveals(run, usr, {}) : undefined;
  if (run.output.isJson) return run.output.json({ userId: usr, removed: true, ...revoked, ...rotated });
  tell(run, { usr, made, currentCount: known.currentCount, revoked, rotated });
}

interface Knowledge {
  readonly currentCount: number;
  readonly made: readonly MemberKey[];
}

async function knowledgeOf(run: Run, usr: string): Promise<Knowledge> {
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
    run.output.note(`${relation === 'made' ? 'Made' : 'Was shown'}: ${keyId} (${name})`);
  }
  // Those of their agents end by the removal.
  return { currentCount, made: (keys ?? []).filter(({ relation, scopes }) => relation === 'made' && scopes === null) };
}

interface Outcome extends Knowledge {
  readonly usr: string;
  readonly revoked: Schema<'MemberKeyRevocation'> | undefined;
  readonly rotated: Schema<'RevealedRotationList'> | undefined;
}

function tell(run: Run, { usr, made, currentCount, revoked, rotated }: Outcome): void {
  const { output } = run;
  if (revoked) output.line(`${revoked.revokedKeyIds.length} keys are revoked.`);
  else if (made.length > 0) output.note(`The keys that they made stay valid: channels members revoke-keys ${usr}`);
  if (rotated) showRotations(run, rotated);
  else if (currentCount > 0) output.note(`What they have read stays valid: channels members rotate-revealed ${usr}`);
}

async function removeFromWorkspace(
  run: Run,
  { yes, ...path }: { ws: string; usr: string; yes: boolean | undefined },
): Promise<void> {
  await confirm(run.world, `Remove ${path.usr} from ${path.ws}?`, { yes });
  await (await run.client()).delete('/workspaces/{ws}/members/{usr}', { params: { path } });
  run.output.done({ userId: path.usr, removed: true }, `${path.usr} is removed from ${path.ws}.`);
}
