import { useEffect, useState } from 'preact/hooks';
import { useLazy } from '../kit/calls/use-lazy.ts';
import { isPaletteOpen } from '../kit/commands/commands.ts';
import { startShortcuts, useShortcut } from '../kit/commands/shortcuts.ts';

/** Adds the shortcuts of every page. The palette and the help load on first use. */
export function Keyboard() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => startShortcuts(document), []);
  useShortcut({
    keys: 'mod+k',
    description: 'Open the command palette',
    run: () => void (isPaletteOpen.value = true),
  });
  useShortcut({ keys: '?', description: 'Show keyboard shortcuts', run: () => setHelpOpen(true) });
  const Palette = useLazy(isPaletteOpen.value, async () => (await import('./palette.tsx')).Palette);
  const Help = useLazy(isHelpOpen, async () => (await import('./shortcut-help.tsx')).ShortcutHelp);
  return (
    <>
      {isPaletteOpen.value && Palette && <Palette />}
      {isHelpOpen && Help && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
}
