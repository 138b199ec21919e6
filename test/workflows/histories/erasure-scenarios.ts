import type { ErasureState, ErasureStep } from '../../../contract/erasures/erasure.ts';
import { type Scenarios } from './scenario.ts';

const erasing =
  (step: ErasureStep, others: Partial<ErasureState> = {}) =>
  (): ErasureState => ({ status: 'erasing', step, isHeld: false, events: 200, ...others });

export const erasureScenarios: Scenarios = {
  eraseData: {
    args: [{ erasureId: 'ers_00000001', heldMs: 10 }],
    activities: {
      eraseSlices: [
        erasing('events', { isHeld: true }),
        erasing('events'),
        erasing('answers', { isHeld: true }),
        erasing('answers', { status: 'completed' }),
      ],
    },
  },
};
