import test, { type ExecutionContext } from 'ava';
import type { MailInbox } from '../../../simulator/mail/inbox.ts';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import type { MediaApi } from '../../../simulator/media/media.ts';
import type { Platform } from '../../../simulator/platform.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import { anInbox } from '../people/email-codes.ts';
import { CapturedLog } from './captured-log.ts';
import { type RunningSystem, runSystem, type System, systemTenant } from './system.ts';

/**
 * One system for all tests of this process that neither end nor configure its processes. They run concurrently, so each
 * has its own organization and receiver, and reads only rows and workflows of its channels. Tests that need retries set
 * the schedule of their destination.
 */
export interface SharedSystem extends Omit<System, 'workers' | 'apis' | 'gateways' | 'gatewayUrls' | 'platform'> {
  readonly platform: SharedPlatform;
  readonly inbox: MailInbox;
}

type MediaFaults = NonNullable<MediaControlInput['faults']>;

/** Everything that a test sets names an account of its own. */
interface SharedPlatform extends Pick<Platform, 'send' | 'url'> {
  readonly media: Pick<MediaApi, 'containers' | 'posts' | 'calls'>;
  readonly messaging: Pick<Platform['messaging'], 'sent'>;
  /** Adds faults of one account. Returns a function that removes what is left of them. */
  readonly failMedia: (account: string, faults: MediaFaults) => () => void;
}

/** Not the default, so that a test can tell that it is read. */
export const CONVERSATION_HOLD_SECONDS = 900;

const env = {
  CONTAINER_POLL_SECONDS: '0.5',
  // No retry and no probe falls within a test unless the test asks for it.
  RETRY_SCHEDULE_SECONDS: '600,600',
  CIRCUIT_PROBE_SECONDS: '600',
  CONVERSATION_HOLD_SECONDS: String(CONVERSATION_HOLD_SECONDS),
  // The longest that is valid. Tests hold answers for half of it.
  DELIVERY_TIMEOUT_MS: '12000',
  MAIL_FROM: 'no-reply@example.com',
};
/** A video is long enough to interrupt its processing. */
const processing = { imageMs: 300, videoMs: 8_000, carouselMs: 300 };

interface Shared {
  readonly running: RunningSystem;
  readonly inbox: MailInbox;
}

const log = new CapturedLog();
const ends: (() => unknown)[] = [];
let shared: Promise<Shared> | undefined;

test.after.always(async () => {
  await shared?.catch(() => undefined);
  for (const end of ends.toReversed()) await end();
});

/** Starts the system at the first call. Shows its output since the start of the test if the test fails. */
export async function sharedSystem(t: ExecutionContext<unknown>): Promise<SharedSystem> {
  const own = log.follow(t);
  t.teardown(() => t.passed || t.log(own.tail()));
  const { running, inbox } = await (shared ??= startShared());
  const { db, databaseUrl, temporal, apiUrls, platformSecret, platform } = running;
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  return {
    db,
    databaseUrl,
    temporal,
    apiUrls,
    platformSecret,
    receiver,
    inbox,
    ...(await systemTenant(running)),
    platform: sharedPlatform(platform),
    lines: own.lines,
  };
}

async function startShared(): Promise<Shared> {
  const lifetime = { teardown: (end: () => unknown) => void ends.push(end) };
  const inbox = await anInbox(lifetime);
  const running = await runSystem(lifetime, {
    log,
    env: { ...env, SMTP_URL: inbox.smtpUrl },
    media: { processing },
    endProcess: (one) => one.kill9(),
  });
  return { running, inbox };
}

function sharedPlatform({ media, messaging, send, url }: Platform): SharedPlatform {
  return {
    media,
    messaging,
    send,
    url,
    failMedia(account, faults) {
      const added = faults.map((fault) => ({ ...fault, match: { ...fault.match, account } }));
      media.control({ faults: [...media.faults(), ...added] });
      return () => media.control({ faults: media.faults().filter(({ match }) => match?.account !== account) });
    },
  };
}
