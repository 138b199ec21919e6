/**
 * Patches that this release replays but does not activate. The next release removes an id from the list and so
 * activates the patch: after a rollback, this release then replays the histories of that one (ADR 38).
 */
export const announcedPatches: readonly string[] = [];

/**
 * Returns the worker's decision about a patch that a workflow asks for outside a replay. A replay follows its history
 * in any case.
 */
export function activatesPatch(announced: readonly string[]): (asked: { readonly patchId: string }) => boolean {
  return ({ patchId }) => !announced.includes(patchId);
}
