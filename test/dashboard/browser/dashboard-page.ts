import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The page may contain a button with the same name outside the dialog. */
export const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export async function goTo(page: Page, name: string, menu = 'Organization'): Promise<void> {
  await page.getByRole('navigation', { name: menu }).getByRole('link', { name, exact: true }).click();
}
