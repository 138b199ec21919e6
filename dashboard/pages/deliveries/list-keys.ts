/** True while a key belongs to a field, a menu or a dialog. */
export function isTyping({ target }: Event): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('input:not([type="checkbox"]), select, textarea, dialog, [contenteditable]') !== null;
}

export function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}
