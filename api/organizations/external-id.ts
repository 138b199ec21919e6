import type { WorkspaceKind } from '../../contract/identity/workspace-kinds.ts';
import { isDuplicateOf } from '../../db/core/duplicates.ts';
import { EXTERNAL_ID_INDEX } from '../../db/organizations/workspaces.ts';
import { Conflict, InvalidRequest } from '../requests/errors.ts';

export function refuseExternalId(workspace: {
  readonly kind: WorkspaceKind;
  readonly externalId?: string | null | undefined;
}): void {
  const isGiven = workspace.externalId !== undefined && workspace.externalId !== null;
  if (isGiven && workspace.kind !== 'customer') throw new InvalidRequest('body.externalId: only customers have one.');
}

export async function withFreeExternalId<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isDuplicateOf(error, EXTERNAL_ID_INDEX)) throw error;
    throw new Conflict('EXTERNAL_ID_TAKEN', 'Another customer of the organization has this external id.', {
      cause: error,
    });
  }
}
