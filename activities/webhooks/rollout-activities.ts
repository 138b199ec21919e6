import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import { failureTypes } from '../../contract/failures.ts';
import { ROLLOUT_PAGE_SAVES, type RolloutPage, type StagedSave } from '../../contract/webhooks/rollout.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import { closeRolloutRun, endRollout, touchRollout } from '../../db/webhooks/rollout-runs.ts';
import {
  findOpenRollout,
  listPendingChannels,
  type OpenRollout,
  settleSavedChannel,
  needsSave,
  stageDefaultForChannel,
} from '../../db/webhooks/stage-default.ts';
import type { Log } from '../../process/log.ts';
import type { Shares } from '../../process/shares.ts';
import { requesterOwner, tryAgainLater } from '../deliveries/receiver-slots.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type RolloutActivities = ReturnType<typeof createRolloutActivities>;

export interface RolloutDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  /** Of the slots of the receivers queue. */
  readonly receiverShares: Shares;
  readonly log: Log;
}

interface RolloutRequest {
  readonly rolloutId: string;
}

interface ChannelRequest extends RolloutRequest {
  readonly channel: number;
}

/** Channels that one page looks at. */
const PAGE_SIZE = 200;

export function createRolloutActivities({ db, secretBox, receiverShares, log }: RolloutDeps) {
  return {
    /** Settles the channels that need no save, up to the page's number of saves. */
    async planRolloutPage({ rolloutId, after }: RolloutRequest & { readonly after: number }): Promise<RolloutPage> {
      const rollout = await load(rolloutId);
      await touchRollout(db, rolloutId);
      if (rollout.status !== 'running') return { channels: [], last: after, isDone: true };
      return await withHeartbeat(async (signal) => {
        const pending = await listPendingChannels(db, { rollout, after, limit: PAGE_SIZE });
        const channels: number[] = [];
        let last = after;
        for (const channelId of pending) {
          if (signal.aborted || channels.length === ROLLOUT_PAGE_SAVES) break;
          if (await needsSave(db, secretBox, { rollout, channelId })) channels.push(channelId);
          last = channelId;
        }
        return { channels, last, isDone: pending.length === 0 };
      });
    },

    /** Returns null if the channel needs no save any more. */
    async stageRolloutSave({ rolloutId, channel }: ChannelRequest): Promise<StagedSave | null> {
      const rollout = await load(rolloutId);
      if (rollout.status !== 'running') return null;
      // Waits before the save, which has a deadline. The probes take the slot.
      const giveBack = receiverShares.tryTake(requesterOwner('rollouts', rollout));
      if (!giveBack) tryAgainLater();
      giveBack?.();
      return await stageDefaultForChannel(db, secretBox, { rollout, channelId: channel });
    },

    async settleRolloutSave({
      rolloutId,
      channel,
      candidateId,
    }: ChannelRequest & { readonly candidateId: number }): Promise<void> {
      const rollout = await load(rolloutId);
      const result = await settleSavedChannel(db, { rollout, channelId: channel, candidateId });
      const { outcome, reason = null } = result;
      log.info('rollout.channelSaved', { rolloutId, channel, candidateId, outcome, reason });
    },

    async endRollout({
      rolloutId,
      as,
    }: RolloutRequest & { readonly as: 'completed' | 'cancelled' }): Promise<'completed' | 'cancelled'> {
      await endRollout(db, { publicId: rolloutId, status: as });
      await closeRolloutRun(db, rolloutId);
      const { status } = await load(rolloutId);
      log.info('rollout.ended', { rolloutId, status });
      return status === 'running' ? as : status;
    },
  };

  async function load(rolloutId: string): Promise<OpenRollout> {
    const rollout = await findOpenRollout(db, rolloutId);
    if (rollout) return rollout;
    throw ApplicationFailure.nonRetryable(`Rollout ${rolloutId} not found`, failureTypes.rolloutNotFound);
  }
}
