import { z } from 'zod';
import { disabledReasons, pendingChoices } from '../../contract/destinations/pending-deliveries.ts';

export const pendingField = z.enum(pendingChoices).meta({
  description:
    'What becomes of deliveries that wait for the old URL: `follow` the new one (unless given), `keep` going to the ' +
    'old one, or `cancel`.',
});

export const disabledReasonField = z
  .enum(disabledReasons)
  .nullable()
  .meta({
    description:
      'Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success ' +
      '(`failing`), or somebody disabled it (`by_hand`). Null while it is enabled.',
  });
