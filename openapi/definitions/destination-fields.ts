import { z } from 'zod';
import { UNVERIFIED_REPLAY_RATE } from '../../contract/replays/replay.ts';
import { disabledReasons, pendingChoices } from '../../contract/destinations/pending-deliveries.ts';

/** Per channel. Each subscription stores its events again. */
export const MAX_SUBSCRIPTIONS = 20;

/** Of routes that request a delivery. */
export const unverifiedPace =
  `A host that no verified webhook of the organization has gets at most ${UNVERIFIED_REPLAY_RATE} requested deliveries ` +
  'per second; more get `RATE_LIMITED`.';

export const pendingField = z
  .enum(pendingChoices)
  .describe(
    'What happens to deliveries that wait for the previous URL: `follow` sends them to the new URL (default), `keep` ' +
      'to the previous one, and `cancel` cancels them.',
  );

export const disabledReasonField = z
  .enum(disabledReasons)
  .nullable()
  .describe(
    'Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success ' +
      '(`failing`), or a person disabled it (`by_hand`). Null if it is enabled.',
  );
