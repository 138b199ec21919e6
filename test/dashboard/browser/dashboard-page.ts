import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The page may contain a button with the same name outside the dialog. */
export const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export async function goTo(page: Page, name: string, menu = 'Organization'): Promise<void> {
  await page.getByRole('navigation', { name: menu }).getByRole('link', { name, exact: true }).click();
}

/** Ticks values of a filter of the deliveries and closes its menu. */
export async function chooseFilter(page: Page, label: string, values: readonly string[]): Promise<void> {
  const menu = page.locator('details.multi-filter').filter({ has: page.locator('summary', { hasText: label }) });
  await menu.locator('summary').click();
  for (const value of values) await menu.getByRole('checkbox', { name: new RegExp(`^${value}`) }).check();
  await page.keyboard.press('Escape');
}
