import { unregisteredPlatforms, unregisteredStatuses } from './oauth-vocabulary.ts';

export interface NumberState {
  readonly status?: string | null | undefined;
  readonly platform_type?: string | null | undefined;
  readonly is_on_biz_app?: boolean | null | undefined;
}

/**
 * Returns false for a number that the platform neither sends events of nor sends messages from. A number of the business
 * app is registered there; registering it again would take it from the app.
 */
export function isRegistered({ status, platform_type: place, is_on_biz_app: isOnApp }: NumberState): boolean {
  if (isOnApp === true) return true;
  const isUnregistered =
    unregisteredStatuses.includes(status?.toUpperCase() ?? '') ||
    unregisteredPlatforms.includes(place?.toUpperCase() ?? '');
  return !isUnregistered;
}

/** Why a registration was refused. `too_many_tries` and `too_early` pass. */
export type RegistrationProblem = 'wrong_pin' | 'not_verified' | 'too_many_tries' | 'too_early';

const problems: ReadonlyMap<number, RegistrationProblem> = new Map([
  [133005, 'wrong_pin'],
  [133006, 'not_verified'],
  [133008, 'too_many_tries'],
  [133009, 'too_many_tries'],
  [133015, 'too_early'],
  [133016, 'too_many_tries'],
]);

export function registrationProblemOf({ code }: { readonly code: number | null }): RegistrationProblem | undefined {
  return code === null ? undefined : problems.get(code);
}
