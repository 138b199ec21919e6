import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { aLedgerDelivery, aWebhook } from '../../../harness/deliveries/ledger.ts';
import { aChannel } from '../../../harness/tenants.ts';
import { button, dialogButton, heading } from '../dashboard-page.ts';
import { browserTest as test, type DashboardSite, dashboardSite } from '../dashboard-site.ts';

interface Overlay {
  readonly path: string;
  readonly selector: string;
  readonly open: (page: Page) => Promise<void>;
}

const filters = ['Status', 'Response', 'Event type', 'Channel', 'Destination', 'Time'];
/** No word of it can be wrapped. */
const longName = 'Sunrise'.repeat(20);
const STILL_FRAMES = 10;

async function overlaysOf({ db, tenant }: DashboardSite): Promise<Readonly<Record<string, Overlay>>> {
  const { organization, workspace } = tenant;
  const channel = await aChannel(db, workspace);
  await aChannel(db, workspace, { type: 'photoapp' }); // one channel alone is no filter
  const { publicId } = await aLedgerDelivery(db, channel, { status: 'exhausted' });
  const org = `/app/${organization.publicId}`;
  const at = `${org}/${workspace.publicId}`;
  const deliveries = `${at}/deliveries`;
  return {
    toast: { path: `${deliveries}/${publicId}`, selector: '.toast', open: (page) => copy(page, 'delivery ID') },
    'long toast': { path: `${org}/workspaces`, selector: '.toast', open: createWorkspace },
    'toast after another': {
      path: `${deliveries}/${publicId}`,
      selector: '.toast[data-first]',
      async open(page) {
        await copy(page, 'delivery ID');
        await copy(page, 'event ID');
      },
    },
    menu: { path: deliveries, selector: '.menu-items', open: (page) => button(page, 'Export').click() },
    ...Object.fromEntries(
      filters.map((label): [string, Overlay] => {
        const trigger = (page: Page) => page.getByRole('search').getByRole('button', { name: label });
        const open = async (page: Page) => {
          await page.getByRole('search').waitFor();
          const fold = button(page, 'Filters');
          if (await fold.isVisible()) await fold.click();
          await trigger(page).click();
        };
        return [`popover ${label}`, { path: deliveries, selector: '.popover-panel', open }];
      }),
    ),
    dialog: { path: `${org}/invitations`, selector: '.dialog', open: invite },
    combobox: {
      path: `${org}/invitations`,
      selector: '.menu-items',
      async open(page) {
        await invite(page);
        await page.getByRole('combobox', { name: 'Workspace', exact: true }).click();
      },
    },
    palette: { path: org, selector: '.palette', open: (page) => page.keyboard.press('Control+k') },
  };
}

async function copy(page: Page, what: string): Promise<void> {
  await page.getByRole('button', { name: `Copy ${what}` }).click();
  await keepToast(page, new RegExp(`^Copied ${what}`));
}

/** A toast that has the focus does not disappear. */
async function keepToast(page: Page, text: RegExp): Promise<void> {
  await page.locator('.toast[data-mounted]').filter({ hasText: text }).focus();
}

/** An empty list shows a second button. */
const invite = (page: Page): Promise<void> => button(page, 'Invite member').first().click();

async function createWorkspace(page: Page): Promise<void> {
  await button(page, 'Create workspace').first().click();
  await page.getByLabel('Name', { exact: true }).fill(longName);
  await dialogButton(page, 'Create workspace').click();
  await keepToast(page, / created\.$/);
}

/** Returns what is wrong with an overlay, which a person reads and clicks. Its position is known after some frames. */
const problemOf = (selector: string): string => `new Promise((resolve) => {
  const overlay = document.querySelector('${selector}');
  const look = (before, sameCount) => {
    const { left, top, right, bottom } = overlay.getBoundingClientRect();
    const place = [left, top, right, bottom].map(Math.round).join(' ');
    if (sameCount < ${STILL_FRAMES})
      return requestAnimationFrame(() => look(place, place === before ? sameCount + 1 : 0));
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!isInside) return resolve('is outside: ' + place);
    if (overlay.scrollWidth > overlay.clientWidth) return resolve('cuts off its content');
    const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isInFront = overlay.contains(shown) || shown === overlay.parentElement;
    resolve(isInFront ? '' : 'is behind ' + shown?.outerHTML.slice(0, 80));
  };
  look('', 0);
})`;

for (const width of [1440, 390]) {
  test(`every overlay lies inside a window of ${width} pixels`, async (t: ExecutionContext) => {
    const site = await dashboardSite(t);
    const { page, context, tenant, siteUrl } = site;
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: siteUrl });
    await page.setViewportSize({ width, height: 900 });
    const overlays = await overlaysOf(site);
    await site.signIn(tenant.user.email, '/app/account');
    await heading(page, 'Your account').waitFor();
    const problems: string[] = [];
    for (const [name, { path, selector, open }] of Object.entries(overlays)) {
      await page.goto(siteUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await open(page);
      await page.locator(selector).waitFor();
      const found = await page.evaluate<string>(problemOf(selector));
      if (found !== '') problems.push(`${name} ${found}`);
    }
    t.deepEqual(problems, []);
    t.deepEqual(site.complaints, []);
  });
}

test('a long dialog shows its buttons and dims the whole window', async (t: ExecutionContext) => {
  const site = await dashboardSite(t);
  const { page, db, tenant } = site;
  const { organization, workspace } = tenant;
  const channel = await aChannel(db, workspace);
  await aWebhook(db, channel);
  await page.setViewportSize({ width: 1440, height: 600 });
  await site.signIn(
    tenant.user.email,
    `/app/${organization.publicId}/${workspace.publicId}/channels/${channel.publicId}`,
  );
  await page.getByRole('button', { name: /^Edit options/ }).click();
  const save = await dialogButton(page, 'Save').boundingBox();
  t.true(save !== null && save.y + save.height <= 600);
  const undimmedPx = "innerWidth - document.querySelector('.dialog-backdrop').getBoundingClientRect().width";
  t.is(await page.evaluate<number>(undimmedPx), 0);
});
