import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import { apiVersions } from '../client/chatapp-word.ts';
import type { OnCall } from '../client/call-report.ts';
import { createPlatformClient, type PlatformClient, type PlatformFile } from '../client/client.ts';
import { PlatformRejected, PlatformUnavailable, PlatformOutcomeLost } from '../client/errors.ts';
import { type CallKind, refusalOf } from '../client/refusals.ts';
import type { PlatformCall } from '../client/send-call.ts';
import { platformAddress } from '../client/platform-address.ts';

export interface ActingAccount {
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly token: string;
  readonly onCall?: OnCall | undefined;
  /** Optional. Ends calls that wait, and refuses further ones. */
  readonly signal?: AbortSignal;
  /** Optional. Called before each request whose effect can't be taken back. */
  readonly onWrite?: () => void;
}

/** Each path segment is encoded. */
export interface ObjectCall {
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/**
 * Throws PlatformRejected for a refusal, PlatformUnavailable without a usable response, and PlatformOutcomeLost for a
 * write with an unknown outcome.
 */
export interface AccountClient {
  readonly type: ChannelType;
  readonly resourceId: string;
  read<Schema extends z.ZodType>(schema: Schema, call: ObjectCall): Promise<z.output<Schema>>;
  /** For calls with a visible effect. Never retried. */
  write<Schema extends z.ZodType>(
    schema: Schema,
    call: ObjectCall & { readonly method?: 'POST' | 'DELETE' },
  ): Promise<z.output<Schema>>;
  /** For calls without a visible effect: a missing response is an ordinary failure. */
  prepare<Schema extends z.ZodType>(schema: Schema, call: ObjectCall): Promise<z.output<Schema>>;
  /** For calls with a visible effect that is harmless to repeat. */
  mark<Schema extends z.ZodType>(schema: Schema, call: ObjectCall): Promise<z.output<Schema>>;
  transfer<Schema extends z.ZodType>(schema: Schema, call: Transfer): Promise<z.output<Schema>>;
  download(path: readonly string[], address: URL): Promise<PlatformFile>;
  /** Throws unless the account's token may be sent to this URL. */
  address(text: string): URL;
  businessId(): Promise<string>;
}

export interface Transfer {
  readonly path: readonly string[];
  readonly address?: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly scheme?: 'OAuth';
  readonly stream?: Readable;
}

/** The platform fetches a photo before it answers the post. */
const WRITE_TIMEOUT_MS = 30_000;
/** Enough for 100 MB over a slow connection. */
const TRANSFER_TIMEOUT_MS = 300_000;

export interface AccountClientOptions {
  readonly client: PlatformClient;
  readonly account: ActingAccount;
  readonly apiUrl: string;
  readonly findBusinessId: (account: ActingAccount) => Promise<string>;
}

export function createAccountClient(options: AccountClientOptions): AccountClient {
  const { client, account, apiUrl, findBusinessId } = options;
  const { type, resourceId, token, onCall, signal, onWrite } = account;
  const access = { token, onCall, ...(signal && { signal }) };
  const placed = ({ path, ...call }: ObjectCall): PlatformCall => ({ ...call, ...access, path: pathOf(path) });

  const prepare: AccountClient['prepare'] = (schema, call) =>
    client.once(schema, { method: 'POST', timeoutMs: WRITE_TIMEOUT_MS, ...placed(call) });

  return {
    type,
    resourceId,
    read: (schema, call) => client.read(schema, placed(call)),
    prepare,
    async mark(schema, call) {
      try {
        return await prepare(schema, call);
      } catch (error) {
        if (!mayBeMarked(error)) throw error;
        throw new PlatformUnavailable(error.message, { cause: error, mayBeDone: true });
      }
    },
    async write(schema, { method = 'POST', ...call }) {
      onWrite?.();
      try {
        return await client.once(schema, { method, timeoutMs: WRITE_TIMEOUT_MS, ...placed(call) });
      } catch (error) {
        throw lostOrThrown('write', error);
      }
    },
    async transfer(schema, { path, ...call }) {
      // Files that the platform fetches have no effect before they are published.
      if (call.stream) onWrite?.();
      const sent = { method: 'POST', timeoutMs: TRANSFER_TIMEOUT_MS, ...call, ...access, path: pathOf(path) } as const;
      return await client.once(schema, sent);
    },
    download: (path, address) =>
      client.download({ ...access, path: pathOf(path), address, timeoutMs: TRANSFER_TIMEOUT_MS }),
    address: (text) => platformAddress(text, apiUrl),
    businessId: () => findBusinessId(account),
  };
}

function mayBeMarked(error: unknown): error is PlatformUnavailable | PlatformRejected {
  if (error instanceof PlatformRejected) return refusalOf('write', error).mayBeDone;
  return error instanceof PlatformUnavailable && !error.notSent;
}

export function createClients(options: Omit<Parameters<typeof createPlatformClient>[0], 'version'>) {
  const clients = new Map<string, PlatformClient>();
  for (const version of Object.values(apiVersions)) {
    if (!clients.has(version)) clients.set(version, createPlatformClient({ ...options, version }));
  }
  return {
    of(type: ChannelType): PlatformClient {
      const client = clients.get(apiVersions[type]);
      if (!client) throw new Error(`No client for ${type}`);
      return client;
    },
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** Prevents an id from spanning several segments. */
export function pathOf(segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}

/** Returns PlatformOutcomeLost unless the error proves that nothing was done. */
export function lostOrThrown(call: Extract<CallKind, 'write' | 'publish'>, error: unknown): unknown {
  if (error instanceof PlatformRejected) {
    return refusalOf(call, error).mayBeDone ? lost(error.text ?? error.message, error) : error;
  }
  if (!(error instanceof PlatformUnavailable) || error.notSent) return error;
  const said = error.cause instanceof PlatformRejected ? error.cause.text : null;
  return lost(said === null ? error.message : `${error.message}: ${said}`, error);
}

function lost(message: string, cause: unknown): PlatformOutcomeLost {
  return new PlatformOutcomeLost(message, { cause });
}
