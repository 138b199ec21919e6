import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns a component that is loaded on first use, once it is there. */
export function useLazy<Props>(
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
