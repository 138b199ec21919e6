import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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

function useLazy<Props>(
  isWanted: boolean,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | undefined {
  const [loaded, setLoaded] = useState<{ readonly Part: ComponentType<Props> }>();
  useEffect(() => {
    // Offline, the key does nothing and may be pressed again.
    if (isWanted && !loaded)
      load().then(
        (Part) => setLoaded({ Part }),
        () => undefined,
      );
  }, [isWanted]);
  return loaded?.Part;
}
