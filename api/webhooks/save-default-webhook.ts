import { SAVE_DEADLINE_MS } from '../../contract/webhooks/probe.ts';
import type { AuditContext } from '../../db/audit/record-audit.ts';
import {
  type DefaultOwner,
  failDefaultWebhook,
  findStagedDefault,
  stageDefaultWebhook,
} from '../../db/webhooks/default-webhooks.ts';
import { parseUrl } from '../destinations/parse-url.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, OutcomeUnknown, UrlNotAllowed, VerificationFailed } from '../requests/errors.ts';
import { runStaged } from '../routing/run-staged.ts';

export interface DefaultSave {
  readonly owner: DefaultOwner;
  readonly url: string;
  readonly verifyToken: string;
  readonly audit: AuditContext;
}

/** A workflow probes and commits the default. An abandoned one can't be committed later. */
export async function saveDefaultWebhook(
  deps: ApiDeps,
  { owner, verifyToken, audit, ...given }: DefaultSave,
): Promise<void> {
  const url = parseUrl(deps, 'webhookUrl', given.url);
  const staged = { ...owner, url, verifyToken, deadlineMs: SAVE_DEADLINE_MS, audit };
  const id = await stageDefaultWebhook(deps.db, deps.secretBox, staged);
  const key = { ownerId: owner.publicId, defaultWebhookId: id };
  const workspaceId = owner.workspaceId === null ? null : owner.publicId;
  await runStaged({
    run: () => deps.starts.saveDefaultWebhook({ ...key, workspaceId }),
    logUnanswered: ({ cause: error }) => deps.log.warn('defaultWebhookSave.unanswered', { ...key, error }),
    giveUp: () =>
      failDefaultWebhook(deps.db, { id, status: 'abandoned', failure: 'The workflow did not answer in time' }),
    decide: () => judgeEnd(deps, id),
    unknown: () =>
      new OutcomeUnknown('The save timed out and was abandoned. Read the default webhook before you save again.'),
  });
}

/** Returns undefined for an undecided save. */
async function judgeEnd({ db }: ApiDeps, id: number): Promise<'committed' | undefined> {
  const staged = await findStagedDefault(db, id);
  const failure = staged?.failure ?? 'The webhook could not be verified.';
  switch (staged?.status) {
    case 'current':
    case 'replaced':
      return 'committed';
    case 'failed':
      throw new VerificationFailed(failure);
    case 'blocked':
      throw new UrlNotAllowed('webhookUrl', failure);
    case 'overtaken':
      throw new Conflict(
        'WEBHOOK_CONFIG_CHANGED',
        'A later change of this default webhook began before this one was saved.',
      );
    case 'abandoned':
    case 'staged':
    case undefined:
      return undefined;
  }
}
