import type { Random } from '../../harness/random.ts';

export interface MisbehaviourSchedule {
  isActive(): boolean;
  heal(): void;
}

const ACTIVE_MS = [2_000, 5_000] as const;
const INACTIVE_MS = [2_000, 5_000] as const;

/** Alternates between active and inactive periods of a few seconds until healed. */
export function alternatingMisbehaviour(random: Random): MisbehaviourSchedule {
  let isActive = false;
  let timer: NodeJS.Timeout;
  const turn = (): void => {
    isActive = !isActive;
    timer = setTimeout(turn, random.between(...(isActive ? ACTIVE_MS : INACTIVE_MS)));
  };
  timer = setTimeout(turn, random.between(0, INACTIVE_MS[0]));
  return {
    isActive: () => isActive,
    heal() {
      clearTimeout(timer);
      isActive = false;
    },
  };
}

export function misbehaviourUntilHealed(): MisbehaviourSchedule {
  let isActive = true;
  return { isActive: () => isActive, heal: () => void (isActive = false) };
}

export const permanentMisbehaviour: MisbehaviourSchedule = { isActive: () => true, heal: () => undefined };
