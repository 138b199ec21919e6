import { ApplicationFailure } from '@temporalio/common';
import type { Knex } from 'knex';
import type { RotationInput } from '../../contract/channels/token.ts';
import { failureTypes } from '../../contract/failures.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import { endOverlap, makeRotation, type RotationOutcome } from '../../db/channels/token-rotations.ts';
import type { Log } from '../../process/log.ts';

export type ChannelTokenActivities = ReturnType<typeof createChannelTokenActivities>;

export interface ChannelTokenDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
  readonly log: Log;
}

export function createChannelTokenActivities({ db, secretBox, tokenSalt, log }: ChannelTokenDeps) {
  return {
    async mintToken({ rotationId }: RotationInput): Promise<RotationOutcome> {
      const rotation = await makeRotation(db, { secretBox, tokenSalt }, { rotationId });
      if (!rotation) {
        throw ApplicationFailure.nonRetryable(`Rotation ${rotationId} not found`, failureTypes.rotationNotFound);
      }
      log.info('channelToken.rotated', { rotationId, ...rotation });
      return rotation;
    },

    /** Returns the remaining overlap in milliseconds, or null. */
    async endTokenOverlap({ channelId }: { readonly channelId: string }): Promise<number | null> {
      const overlapMs = await endOverlap(db, { channelId });
      log.info('channelToken.overlapEnded', { channelId, overlapMs });
      return overlapMs;
    },
  };
}
