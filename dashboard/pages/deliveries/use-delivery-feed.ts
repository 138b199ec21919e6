import { useEffect, useRef, useState } from 'preact/hooks';
import { apiIn } from '../../session/api.ts';
import { createDeliveryFeed, type DeliveryFeed } from './delivery-feed.ts';
import type { DeliveryFilters } from './delivery-filters.ts';
import { whileVisible } from './while-visible.ts';

interface KeptFeed {
  readonly key: string;
  readonly feed: DeliveryFeed;
  readonly scroll: { topPx: number };
  readonly listener: { onChange: (addedOnTop: number) => void };
  leftAtMs: number;
}

/** The last shown feed, so that returning from a delivery restores the list and its scroll position. */
let kept: KeptFeed | undefined;
const KEPT_MS = 10 * 60_000;
/** Streams per user and connections per browser are limited, so hidden pages close theirs. */
const HIDDEN_GRACE_MS = 60_000;
const NOTE_REFRESH_MS = 5_000;

export interface ShownFeed {
  readonly feed: DeliveryFeed;
  readonly version: number;
  readonly takeAdded: () => number;
  readonly scroll: { topPx: number };
}

/** Follows the deliveries while the page is visible. Batches changes per animation frame. */
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
    const end = whileVisible({ ...shown.feed, page: document, graceMs: HIDDEN_GRACE_MS });
    return () => {
      end();
      shown.leftAtMs = Date.now();
      if (frame !== undefined) cancelAnimationFrame(frame);
      shown.listener.onChange = () => undefined;
    };
  }, [shown]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setVersion((before) => before + 1);
    }, NOTE_REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const takeAdded = (): number => {
    const count = added.current;
    added.current = 0;
    return count;
  };
  return { feed: shown.feed, version, takeAdded, scroll: shown.scroll };
}

/** The deliveries above and below one in the list that was shown last. */
export function neighboursOf(
  workspaceId: string,
  deliveryId: string,
): { readonly previous: string | null; readonly next: string | null } {
  const list = kept?.key.startsWith(`${workspaceId} `) ? kept.feed.list : undefined;
  const index = list?.indexOf(deliveryId);
  if (!list || index === undefined) return { previous: null, next: null };
  const idAt = (at: number): string | null => list.at(at)?.deliveryId ?? null;
  return { previous: index === 0 ? null : idAt(index - 1), next: idAt(index + 1) };
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
