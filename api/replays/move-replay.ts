import type { ReplayMove } from '../../contract/replays/replay.ts';
import { type AuditContext, recordAudit } from '../../db/audit/record-audit.ts';
import { moveReplay as move, type ReplayRecord } from '../../db/replays/replays.ts';
import { signalReplay } from './create-replay.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict } from '../requests/errors.ts';

export interface MoveReplay {
  readonly replay: ReplayRecord;
  readonly how: ReplayMove;
  readonly audit: AuditContext;
}

/** Changes the row first, because the workflow reads it before each batch. */
export async function moveReplay(deps: ApiDeps, { replay, how, audit }: MoveReplay): Promise<ReplayRecord> {
  const { publicId, organizationId, workspaceId } = replay;
  const moved = await deps.db.transaction(async (trx) => {
    const record = await move(trx, { publicId, move: how });
    if (!record) throw new Conflict('REPLAY_ENDED', `The replay has ended: ${replay.status}.`);
    const entry = { ...audit, organizationId, workspaceId };
    await recordAudit(trx, { ...entry, action: `replay.${pastTense[how]}`, targetId: publicId });
    return record;
  });
  await signalReplay(deps, moved);
  return moved;
}

const pastTense: Readonly<Record<ReplayMove, string>> = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' };
