import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExecutionContext } from 'ava';
import { hmacSha256, signingSecret } from '../../../activities/signing/open-secret.ts';
import { deliveryHeaders, signatureHeader } from '../../../contract/deliveries/signature.ts';
import { startPlatform, type Platform } from '../../../simulator/platform.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import { itemsOf } from '../../harness/envelope/split-items.ts';
import { runs } from '../../dev/release/installed-packages.ts';
import { appSecret, channelToken, startStage } from '../../gateway/stage.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

export const numberId = '100000000000011';
export const businessId = '400000000000001';
export const customer = '15550100001';
export const hmacSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export const content = new TextEncoder().encode('Some text');
export const unknownToken = `hmat_${'x'.repeat(43)}`;

/** What a library exports and answers. The test's names of it are the library's. */
export type Foreign = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- the shape is the library's

/** The address that a library has built in. */
const platformOrigin = 'https://graph.facebook.com/';

export interface SignedDelivery {
  readonly body: string;
  /** The value of the signature header, in the form of the platform's. */
  readonly signature: string;
}

export interface LibraryStage {
  readonly gatewayUrl: string;
  readonly token: string;
  readonly simulator: Platform;
  /** Like the platform's fetch, for libraries whose address cannot be set. */
  readonly fetch: typeof fetch;
  /** Sends a message of a customer and returns the delivery of its event. */
  receive(text: string): Promise<SignedDelivery>;
}

/** A gateway for one number, with the simulator behind it. */
export async function startLibraryStage(t: ExecutionContext<unknown>): Promise<LibraryStage> {
  const receiver = await startReceiver({ port: 0 });
  const service = receiver.webhook('service');
  const simulator = await startPlatform({ port: 0, appSecret, webhookUrl: service.url });
  t.teardown(async () => {
    await simulator.stop();
    await receiver.stop();
  });
  const channel = { type: 'chatapp', resourceId: numberId, linkedResourceId: null } as const;
  const { url: gatewayUrl } = await startStage(t, { channel, apiUrl: simulator.url });
  return {
    gatewayUrl,
    token: channelToken,
    simulator,
    fetch: (address, options) => fetch(`${address}`.replace(platformOrigin, `${gatewayUrl}/platform/`), options),
    async receive(text) {
      await simulator.send({ ...inbound, text });
      const bytes = Buffer.from(service.requests().at(-1)?.bodyBase64 ?? '', 'base64');
      const [item] = itemsOf(bytes.toString());
      return signed(Buffer.from(item?.body ?? '').toString());
    },
  };
}

const inbound = { product: 'chatapp', kind: 'message', resourceId: numberId, from: customer, realWords: true } as const;

function signed(body: string): SignedDelivery {
  const named = { deliveryId: 'wd_00000001', eventId: 'evt_00000001', eventType: 'chatapp.message.received' };
  const secrets = [signingSecret(hmacSecret)];
  const facts = { ...named, attempt: 1, atMs: Date.now(), body: Buffer.from(body), secrets };
  return { body, signature: deliveryHeaders(facts, hmacSha256)[signatureHeader] ?? '' };
}

/** Installs the packages of the lockfile into a temporary folder and returns what imports one of them. */
export async function installLibraries(t: ExecutionContext<unknown>) {
  const folder = await temporaryFolder(t);
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(join(import.meta.dirname, 'packages', name), join(folder, name));
  }
  await runs('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder });
  return async (path: string): Promise<Readonly<Record<string, Foreign>>> =>
    await import(pathToFileURL(join(folder, 'node_modules', path)).href);
}

/** Three messages were sent, the last with the file, and the customer's message was marked as read twice. */
export function requireFlows(
  t: ExecutionContext<unknown>,
  { simulator }: LibraryStage,
  sentIds: readonly unknown[],
): void {
  const sent = simulator.messaging.sent();
  t.deepEqual(sent.map(({ type }) => type), ['text', 'template', 'document']); // prettier-ignore
  t.deepEqual(sentIds, sent.map(({ id }) => id)); // prettier-ignore
  t.deepEqual(simulator.messaging.actions().map(({ type }) => type), ['read', 'typing']); // prettier-ignore
}
