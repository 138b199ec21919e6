import type { ExecutionContext } from 'ava';

export interface StreamFrame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- the event's JSON
  readonly comment?: string;
}

export interface EventStream {
  readonly response: Response;
  /** Returns the next matching frame; undefined at the end of the stream. */
  next(wanted?: (frame: StreamFrame) => boolean): Promise<StreamFrame | undefined>;
  deliveries(count: number): Promise<StreamFrame[]>;
  close(): void;
}

export async function openEventStream(
  t: ExecutionContext<unknown>,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const client = new AbortController();
  t.teardown(() => client.abort());
  const response = await fetch(url, { headers, signal: client.signal });
  const frames = framesOf(response);
  const next: EventStream['next'] = async (wanted = () => true) => {
    for (let step = await frames.next(); !step.done; step = await frames.next()) {
      if (wanted(step.value)) return step.value;
    }
    return undefined;
  };
  return {
    response,
    next,
    async deliveries(count) {
      const found: StreamFrame[] = [];
      while (found.length < count) {
        const frame = await next(({ event }) => event === 'delivery');
        if (!frame) throw new Error(`The stream ended after ${found.length} of ${count} deliveries`);
        found.push(frame);
      }
      return found;
    },
    close: () => client.abort(),
  };
}

async function* framesOf({ body }: Response): AsyncGenerator<StreamFrame, void, void> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) yield parseFrame(part);
  }
}

function parseFrame(part: string): StreamFrame {
  const fields: Record<string, string> = {};
  for (const line of part.split('\n')) {
    const [name = '', ...rest] = line.split(': ');
    fields[name === ':' || name === '' ? 'comment' : name] = rest.join(': ');
  }
  return { ...fields, ...(fields.data !== undefined && { data: JSON.parse(fields.data) }) };
}
