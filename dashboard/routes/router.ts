import { computed, signal } from '@preact/signals';

/** Where the browser is, of which the page on show follows. Links are plain `<a href>`; this takes their clicks. */
const address = signal(new URL(location.href));

export const path = computed(() => address.value.pathname);
export const query = computed(() => address.value.searchParams);

/** How often one has gone from page to page: the first page leaves the focus where the browser puts it. */
export const navigations = signal(0);

export function navigate(to: string, { replace = false } = {}): void {
  const target = new URL(to, location.href);
  if (replace) history.replaceState(null, '', target);
  else history.pushState(null, '', target);
  const isOtherPage = target.pathname !== address.value.pathname;
  if (isOtherPage && !replace) {
    navigations.value++;
    scrollTo(0, 0);
  }
  address.value = target;
}

/** Changes parts of the query and leaves the others; undefined and empty ones are taken away. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  const target = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) target.searchParams.set(name, value);
    else target.searchParams.delete(name);
  }
  navigate(target.href, { replace });
}

export function startRouter(): void {
  addEventListener('popstate', () => {
    navigations.value++;
    address.value = new URL(location.href);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !isPlainClick(event) || !isOwnPage(link)) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** Anything else asks for a new tab, a window or a download. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

function isOwnPage({ href, target, download, origin, pathname, hash }: HTMLAnchorElement): boolean {
  if (target || download || origin !== location.origin || href === '') return false;
  if (hash && pathname === location.pathname) return false; // within the page: the browser's own work
  return pathname === '/' || pathname === '/app' || pathname.startsWith('/app/');
}
