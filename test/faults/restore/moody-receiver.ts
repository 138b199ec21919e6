import type { StopList } from '../../../dev/processes/stop-list.ts';
import { messageIdOf } from '../../harness/system/arrival-record.ts';
import { startSink } from '../../../simulator/sink.ts';

export const moods = ['healthy', 'choosy', 'down'] as const;
/** `choosy` refuses every other message, so that deliveries fail while the circuit stays closed. */
export type Mood = (typeof moods)[number];

export interface MoodyReceiver {
  url(mood: Mood): string;
  /** Messages by the id of their delivery, and by their own id. */
  readonly messageOfDelivery: ReadonlyMap<string, string>;
  readonly takenMessages: ReadonlySet<string>;
  /** Deliveries whose id came with two messages. */
  readonly mixedUp: readonly string[];
  heal(): void;
}

export async function startMoodyReceiver(stops: StopList): Promise<MoodyReceiver> {
  const messageOfDelivery = new Map<string, string>();
  const takenMessages = new Set<string>();
  const mixedUp: string[] = [];
  let isHealed = false;
  const sink = await startSink({
    port: 0,
    answerTo: (path, { deliveryId, body }) =>
      isTaken(path.slice(1) as Mood, { deliveryId, message: body && messageIdOf(body) }) ? undefined : { status: 503 },
  });
  stops.add({ name: 'receiver', stop: () => sink.stop() });
  return {
    url: (mood) => `${sink.url}/${mood}`,
    messageOfDelivery,
    takenMessages,
    mixedUp,
    heal: () => void (isHealed = true),
  };

  function isTaken(mood: Mood, { deliveryId, message }: { deliveryId: string; message: string | undefined }): boolean {
    if (message === undefined) return true;
    const known = messageOfDelivery.get(deliveryId);
    if (known !== undefined && known !== message) mixedUp.push(deliveryId);
    messageOfDelivery.set(deliveryId, message);
    const isOdd = Number(message.split('.').at(-1)) % 2 === 1;
    if (!isHealed && (mood === 'down' || (mood === 'choosy' && isOdd))) return false;
    takenMessages.add(message);
    return true;
  }
}
