import { channelTypes } from '../../contract/event-types.ts';
import { findLiveChannel, insertChannel } from '../../db/channels/channels.ts';
import { insertCredential } from '../../db/channels/credentials.ts';
import { findWorkspace } from '../../db/organizations/workspaces.ts';
import { type AdminDeps, recordOperation } from './deps.ts';
import { oneOf, readOptions, UsageError } from './options.ts';

export async function connectChannel({ db, secretBox, readInput }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['workspace', 'type', 'resource-id', 'name'] });
  const type = oneOf('type', channelTypes, options.type);
  const resourceId = options['resource-id'];
  const workspace = await findWorkspace(db, options.workspace);
  if (!workspace) throw new UsageError(`No workspace '${options.workspace}'. Pass the id of a workspace (ws_…).`);
  if (await findLiveChannel(db, { type, resourceId })) {
    throw new UsageError(`The ${type} account ${resourceId} is already connected. Disconnect its channel first.`);
  }
  const token = await readInput();
  if (token === '') throw new UsageError('Missing platform token. Pipe it into standard input.');
  return await db.transaction(async (trx) => {
    const credential = await insertCredential(trx, secretBox(), { workspaceId: workspace.id, token });
    const channel = await insertChannel(trx, secretBox(), {
      workspaceId: workspace.id,
      credentialId: credential.id,
      type,
      resourceId,
      displayName: options.name,
      connectionType: 'manual',
    });
    await recordOperation(trx, {
      organizationId: workspace.organizationId,
      workspaceId: workspace.id,
      action: 'channel.connected',
      targetId: channel.publicId,
    });
    return { channelId: channel.publicId, credentialId: credential.publicId, resourceId };
  });
}
