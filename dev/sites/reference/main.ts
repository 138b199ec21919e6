/** The page works without this script. It adds the search, the choice of a language, and the menu of narrow screens. */
const find = document.querySelector<HTMLInputElement>('#find')!;
const found = document.querySelector<HTMLElement>('#found')!;
const contents = document.querySelector<HTMLElement>('#contents')!;
const toggle = document.querySelector<HTMLButtonElement>('#toggle')!;
const entries = [...contents.querySelectorAll<HTMLElement>('li')];
const chapters = [...contents.querySelectorAll('details')];
const openAtFirst = chapters.filter((chapter) => chapter.open);

function search(): void {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset['words']?.includes(word));
  const count = entries.filter((entry) => !entry.hidden).length;
  for (const chapter of chapters) {
    const matches = chapter.querySelector('li:not([hidden])') !== null;
    chapter.hidden = !matches;
    chapter.open = words.length > 0 ? matches : openAtFirst.includes(chapter);
  }
  for (const group of contents.querySelectorAll<HTMLElement>('.group')) group.hidden = words.length > 0;
  found.textContent = words.length === 0 ? '' : `${count} ${count === 1 ? 'operation' : 'operations'} found`;
}

find.addEventListener('input', search);
find.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') contents.querySelector<HTMLAnchorElement>('li:not([hidden]) a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  showContents(true);
  find.focus();
});

const bar = document.querySelector<HTMLElement>('.site-links')!;

/** On a narrow screen, the menu covers the page below the bar, whose height depends on the width. */
function showContents(isShown: boolean): void {
  contents.style.setProperty('--bar-height', `${bar.offsetHeight}px`);
  contents.classList.toggle('shown', isShown);
  toggle.setAttribute('aria-expanded', String(isShown));
}

toggle.addEventListener('click', () => showContents(!contents.classList.contains('shown')));
contents.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) showContents(false);
});

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !contents.classList.contains('shown')) return;
  showContents(false);
  toggle.focus();
});

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  // Only secure pages have a clipboard.
  button.hidden = !isSecureContext;
  button.addEventListener('click', async () => {
    const sample = button.parentElement?.querySelector('pre:not([hidden])');
    await navigator.clipboard.writeText(sample?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
}

const LANGUAGE = 'reference.language';

function choose(language: string): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>('.language select')) select.value = language;
  for (const sample of document.querySelectorAll<HTMLElement>('pre[data-language]'))
    sample.hidden = sample.dataset['language'] !== language;
}

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  choose(target.value);
  try {
    localStorage.setItem(LANGUAGE, target.value);
  } catch {
    // Without storage, the choice ends with the page.
  }
});

function savedLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

const saved = savedLanguage();
if (document.querySelector(`.language option[value="${CSS.escape(saved ?? '')}"]`)) choose(saved!);

export {};
