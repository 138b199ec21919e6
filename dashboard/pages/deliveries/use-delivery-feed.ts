import { useEffect, useRef, useState } from 'preact/hooks';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { whileSeen } from '../../kit/calls/while-seen.ts';
import { apiIn } from '../../session/api.ts';
import { createDeliveryFeed, type DeliveryFeed } from './delivery-feed.ts';
import type { DeliveryFilters } from './delivery-filters.ts';

interface KeptFeed {
  readonly key: string;
  readonly feed: DeliveryFeed;
  readonly scroll: { topPx: number };
  /** Told of each change by the feed; whoever shows it puts its own function here. */
  readonly listener: { onChange: (addedOnTop: number) => void };
  leftAtMs: number;
}

/** The list that was on show last: whoever comes back from a delivery finds it where they left it. */
let kept: KeptFeed | undefined;
const KEPT_MS = 10 * 60_000;
/** A person has so many streams at most, and a browser so many connections: what nobody sees holds none. */
const UNSEEN_MS = 60_000;
/** What the rows say of the next attempt grows old. */
const NOTES_MS = 5_000;

export interface ShownFeed {
  readonly feed: DeliveryFeed;
  readonly version: number;
  readonly takeAdded: () => number;
  readonly scroll: { topPx: number };
}

/** The feed of these filters, followed while the page is on show; many changes at once are shown in one frame. */
export function useDeliveryFeed(workspaceId: string, filters: DeliveryFilters): ShownFeed {
  const key = `${workspaceId} ${JSON.stringify(filters)}`;
  const [version, setVersion] = useState(0);
  const added = useRef(0);
  const shown = takeKept(key) ?? open(key, { workspaceId, filters });

  useEffect(() => {
    let frame: number | undefined;
    shown.listener.onChange = (addedOnTop) => {
      added.current += addedOnTop;
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        setVersion((before) => before + 1);
      });
    };
    shown.leftAtMs = 0;
    const end = whileSeen({ ...shown.feed, page: document, graceMs: UNSEEN_MS });
    return () => {
      end();
      shown.leftAtMs = Date.now();
      if (frame !== undefined) cancelAnimationFrame(frame);
      shown.listener.onChange = () => undefined;
    };
  }, [shown]);
  useRefresh(() => setVersion((before) => before + 1), NOTES_MS);
  const takeAdded = (): number => {
    const count = added.current;
    added.current = 0;
    return count;
  };
  return { feed: shown.feed, version, takeAdded, scroll: shown.scroll };
}

function takeKept(key: string): KeptFeed | undefined {
  if (kept?.key !== key) return undefined;
  const isStale = kept.leftAtMs > 0 && Date.now() - kept.leftAtMs > KEPT_MS;
  return isStale ? undefined : kept;
}

function open(key: string, { workspaceId, filters }: { workspaceId: string; filters: DeliveryFilters }): KeptFeed {
  const listener: KeptFeed['listener'] = { onChange: () => undefined };
  const onChange = (addedOnTop: number): void => listener.onChange(addedOnTop);
  const feed = createDeliveryFeed({ client: apiIn(workspaceId), workspaceId, filters, onChange });
  kept = { key, feed, listener, scroll: { topPx: 0 }, leftAtMs: 0 };
  return kept;
}
