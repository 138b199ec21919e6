import type { ControlEvent } from '../webhooks/events.ts';

export const DAY_MS = 86_400_000;
const MAX_KEPT = 50_000;

const opening: ReadonlySet<string> = new Set(['message', 'postback', 'reaction']);

export type MessagingWindows = ReturnType<typeof createMessagingWindows>;

/** A person's last message opens a window of 24 hours. A comment or post may be answered privately once. */
export function createMessagingWindows() {
  const lastMessages = new Map<string, number>();
  const replies = new Set<string>();

  return {
    /** Opens windows by the events that the platform sends. */
    recordEvent({ kind, resourceId, from, atMs }: ControlEvent, nowMs: number): void {
      if (!opening.has(kind)) return;
      if (lastMessages.size > MAX_KEPT) lastMessages.clear();
      for (const person of [from].flat()) lastMessages.set(`${resourceId} ${person}`, atMs ?? nowMs);
    },
    isOpen(
      { account, from }: { account: string; from: string },
      { withinMs, nowMs }: { withinMs: number; nowMs: number },
    ): boolean {
      const lastMs = lastMessages.get(`${account} ${from}`);
      return lastMs !== undefined && nowMs - lastMs < withinMs;
    },
    recordReply: (id: string): void => void replies.add(id),
    hasReply: (id: string): boolean => replies.has(id),
    clear(): void {
      lastMessages.clear();
      replies.clear();
    },
  };
}
