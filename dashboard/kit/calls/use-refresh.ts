import { useEffect, useRef } from 'preact/hooks';

/** Null disables the refresh. A hidden page does not refresh. */
export function useRefresh(refresh: () => unknown, everyMs: number | null): void {
  const current = useRef(refresh);
  current.current = refresh;
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) current.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
