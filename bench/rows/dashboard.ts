import type { Browser, Page } from 'playwright-core';
import { startSession } from '../../api/people/start-session.ts';
import { createSigningRing } from '../../db/core/signing-keys.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { ensureUser, setOrganizationRole } from '../../db/people/users.ts';
import { launchChromium } from '../../dev/browser/chromium.ts';
import { buildSites } from '../../dev/build-sites.ts';
import { sessionCookieName } from '../../openapi/people/cookies.ts';
import { measure, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import type { System } from '../system/system.ts';
import { startBusy } from '../system/busy.ts';

const EVENTS = 20_000;
const LAUNCH_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 2_000;
const BYTES_PER_KB = 1000;

interface MeasuredPage {
  readonly name: string;
  readonly path: (place: Place) => string;
  /** Selector of what a reader waits for. */
  readonly shown: string;
}

const pages: readonly MeasuredPage[] = [
  { name: 'overview', path: ({ at }) => at, shown: '.tile' },
  { name: 'list of deliveries', path: ({ at }) => `${at}/deliveries`, shown: 'a[href*="/deliveries/wd_"]' },
  { name: 'channel', path: ({ at, channelId }) => `${at}/channels/${channelId}`, shown: '.chart canvas' },
  { name: 'guides', path: () => '/guides/receiving', shown: 'h1' },
  { name: 'API reference', path: () => '/docs', shown: 'h1' },
];

export const dashboard: Row = {
  title: 'pages of dashboard, guides and reference in a browser with an empty cache',
  async measure({ system, say }) {
    await buildSites();
    await startBusy(system, { warmUpEvents: EVENTS });
    const place = await aPerson(system);
    const browser = await launchChromium({ timeoutMs: LAUNCH_TIMEOUT_MS });
    try {
      await openAll(browser, { place });
      const runs = await repeat(async () => {
        const measured = await openAll(browser, { place });
        say(measured.map(({ name, value, unit }) => `${name} ${value.toFixed(0)} ${unit}`).join(', '));
        return measured;
      });
      const notes = [
        `${EVENTS.toLocaleString('en')} deliveries in the last day, in one channel. A new browser context for each page.`,
        'The first round is not counted: it warms the API and the database, and no cache of the browser.',
      ];
      return { runs, notes };
    } finally {
      await browser.close();
    }
  },
};

interface Place {
  readonly siteUrl: string;
  /** The path of the workspace in the dashboard. */
  readonly at: string;
  readonly channelId: string;
  readonly cookie: { readonly name: string; readonly value: string };
}

/** An admin of the organization that has the busy channel. */
async function aPerson({ db, webhookUrl }: System): Promise<Place> {
  const channel = await db('channels as c')
    .join('workspaces as w', 'w.id', 'c.workspace_id')
    .join('organizations as o', 'o.id', 'w.organization_id')
    .first('c.public_id as channelId', 'w.public_id as ws', 'o.public_id as org', 'o.id as organizationId');
  const user = await ensureUser(db, { email: 'bench@example.com' });
  await setOrganizationRole(db, { organizationId: channel.organizationId, userId: user.id, role: 'admin' });
  const { tokenSalt } = await readInstallation(db);
  const siteUrl = new URL(webhookUrl).origin;
  // Signs access tokens, which a browser does not use.
  const signingRing = createSigningRing([{ id: 'bench', bytes: Buffer.alloc(32, 1) }]);
  const issuer = { tokenSalt, signingRing, baseUrl: siteUrl };
  const { cookieToken: value } = await startSession(db, issuer, { user, userAgent: 'bench' });
  const cookie = { name: sessionCookieName('development'), value };
  return { siteUrl, at: `/app/${channel.org}/${channel.ws}`, channelId: channel.channelId, cookie };
}

async function openAll(browser: Browser, { place }: { readonly place: Place }): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, path, shown } of pages) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ ...place.cookie, url: place.siteUrl }]);
    const page = await context.newPage();
    const readBytes = await countBytes(page);
    await page.goto(place.siteUrl + path(place), { waitUntil: 'commit' });
    // Asks in each frame; a locator would ask every half second. The page's clock starts with the navigation.
    const look = `document.querySelector(${JSON.stringify(shown)}) ? done(performance.now()) : requestAnimationFrame(look)`;
    const shownMs = await page.evaluate<number>(`new Promise((done) => { const look = () => ${look}; look(); })`);
    // Live pages never become idle, so the wait has a limit.
    await page.waitForLoadState('networkidle', { timeout: IDLE_TIMEOUT_MS }).catch(() => undefined);
    const mostKb = name === 'overview' ? { atMost: 150 } : null;
    measured.push(
      measure(`${name}: shown after`, [shownMs, 'ms'], { atMost: 1_000 }),
      measure(`${name}: sent`, [readBytes() / BYTES_PER_KB, 'kB'], mostKb),
    );
    await context.close();
  }
  return measured;
}

/** Returns a function that reads how many bytes were received, with headers and as they were compressed. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  return () => bytes;
}
