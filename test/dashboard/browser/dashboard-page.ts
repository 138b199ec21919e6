import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The page may contain a button with the same name outside the dialog. */
export const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export async function goTo(page: Page, name: string, menu = 'Organization'): Promise<void> {
  if (menu === 'Organization') await openOrganizationMenu(page);
  const nav = page.getByRole('navigation', { name: menu, exact: true });
  await nav.getByRole('link', { name, exact: true }).click();
}

export async function openOrganizationMenu(page: Page): Promise<void> {
  const nav = page.getByRole('navigation', { name: 'Organization', exact: true });
  const group = nav.getByRole('button', { name: /^Organization/ });
  if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
}

/** Goes to a tab of the page. */
export async function goToTab(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('navigation').getByRole('link', { name, exact: true }).click();
}

/** Chooses further values of a filter of the deliveries and closes its menu. */
export async function chooseFilter(page: Page, label: string, values: readonly string[]): Promise<void> {
  await page
    .getByRole('search')
    .getByRole('button', { name: new RegExp(`^${label}`) })
    .click();
  for (const value of values) await page.getByRole('option', { name: new RegExp(`^${value}`) }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
}

/** Chooses an option of a field that suggests options. */
export async function chooseOption(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}
