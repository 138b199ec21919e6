/**
 * The policy of the page allows no style elements and no style attributes, so that no text of the document can bring its
 * own. The renderer writes both. Here they become constructed sheets and properties, which the policy allows.
 */
const createElement = document.createElement.bind(document);
document.createElement = (name: string, options?: ElementCreationOptions) =>
  name === 'style' ? sheetElement() : createElement(name, options);

/** Returns an element whose text is a style sheet. Its layer lets the colors of the dashboard win. */
function sheetElement(): HTMLElement {
  const element = Object.assign(createElement('script'), { type: 'text/plain' });
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const apply = (): void => sheet.replaceSync(`@layer renderer{${element.textContent}}`);
  new MutationObserver(apply).observe(element, { childList: true, characterData: true, subtree: true });
  return element;
}

const { value: setAttribute } = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute')!;
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};

/** The width of line numbers. The page shows none. */
const lineStyle = / style="--line-count: [^"]*"/g;
const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')!;
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...innerHtml,
  set(html: unknown) {
    innerHtml.set!.call(this, String(html ?? '').replaceAll(lineStyle, ''));
  },
});

/**
 * What accessibility checks find in the renderer (1.72.1): a label that is hidden until the pointer is over the button,
 * two regions with one name, lists that scroll but can't be reached with the keyboard. Remove a row when the renderer has
 * corrected it.
 */
const corrections = [
  ['.group\\/copy-button', 'aria-label', 'Copy'],
  ['.response-card', 'role', 'group'],
  ['.endpoints, .scalar-card-content', 'tabindex', '0'],
] as const;

new MutationObserver((records) => {
  const added = records.flatMap((record) => [...record.addedNodes]).filter((node) => node instanceof Element);
  for (const [selector, name, value] of corrections) {
    const found = added.flatMap((element) => [element, ...element.querySelectorAll(selector)]);
    for (const element of found) if (element.matches(selector)) element.setAttribute(name, value);
  }
}).observe(document.body, { childList: true, subtree: true });
