import { Client, Connection, type ConnectionLike } from '@temporalio/client';

/** A request as the server receives it, with decoded payloads. */
export interface RecordedRequest {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface RecordingClient {
  readonly client: Client;
  readonly requests: readonly RecordedRequest[];
}

const done = { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"done"') }] };
const answers: Readonly<Record<string, (request: Fields) => unknown>> = {
  startWorkflowExecution: () => ({ runId: 'run' }),
  signalWithStartWorkflowExecution: () => ({ runId: 'run' }),
  executeMultiOperation: () => ({ responses: [{ startWorkflow: { runId: 'run' } }, { updateWorkflow: updated }] }),
  updateWorkflowExecution: () => updated,
  getWorkflowExecutionHistory: () => ({
    history: { events: [{ workflowExecutionCompletedEventAttributes: { result: done } }] },
  }),
  createSchedule: () => ({ conflictToken: new Uint8Array() }),
};
const updated = {
  stage: 3, // completed
  updateRef: { updateId: 'update', workflowExecution: { workflowId: 'workflow', runId: 'run' } },
  outcome: { success: done },
};

type Fields = Readonly<Record<string, unknown>>;

export function recordingClient(): RecordingClient {
  const requests: RecordedRequest[] = [];
  const take = (method: string) => (request: Fields) => {
    requests.push({ method, request: plain(request) as Fields });
    return Promise.resolve(answers[method]?.(request) ?? {});
  };
  const service = new Proxy({}, { get: (_, method) => take(String(method)) });
  // Other properties, such as deadlines, come from a real connection that never connects.
  const lazy = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const connection: ConnectionLike = Object.create(lazy, { workflowService: { value: service } });
  return { client: new Client({ connection }), requests };
}

/** Removes unset fields and fields that vary by call. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) {
    return JSON.parse(Buffer.from(value.data).toString('utf8'));
  }
  const fields = Object.entries(value).filter(([name, field]) => field != null && !perCall.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
}

const perCall = new Set(['requestId', 'identity']);
