import { textColorOn } from '../../../contract/identity/branding.ts';
import { productColors, SANS_FONTS } from '../../../contract/identity/product-look.ts';

const hexDigits = /^[0-9a-f]{6}$/i;

/**
 * Returns the style sheet of the connect pages. The policy allows no inline styles, so the color of an organization comes
 * with the address of the style sheet.
 * @param color six hexadecimal digits; anything else means the color of the product
 */
export function styleSheetOf(color?: unknown): string {
  const isColor = typeof color === 'string' && hexDigits.test(color);
  return isColor ? `${styleSheet}:root { --brand: #${color}; --on-brand: ${textColorOn(`#${color}`)}; }\n` : styleSheet;
}

export function styleUrlOf(baseUrl: string, color: string | null): string {
  const url = `${baseUrl}/connect/style.css`;
  return color === null ? url : `${url}?color=${color.slice(1)}`;
}

const variables = (scheme: 'light' | 'dark'): string =>
  Object.entries(productColors[scheme])
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
    .join(' ');

const styleSheet = `
:root { color-scheme: light dark; ${variables('light')} --brand: var(--accent); --on-brand: var(--on-accent); }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground-side);
  color: var(--text); font: 1rem/1.6 ${SANS_FONTS}; }
.bar { background: var(--brand); color: var(--on-brand); padding: 0.9rem 1.25rem; }
.bar p { display: flex; align-items: center; gap: 0.75rem; max-width: 34rem; margin: 0 auto; font-weight: 600;
  overflow-wrap: anywhere; }
.bar img { max-width: 10rem; max-height: 2.25rem; }
main { width: min(34rem, 100% - 2rem); margin: 2rem auto; padding: 2rem; background: var(--ground);
  border: 1px solid var(--line); border-radius: 10px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
p, dd, li, label { overflow-wrap: anywhere; }
main > :last-child { margin-bottom: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1.25rem; margin: 1.25rem 0; padding: 1rem 0;
  border: solid var(--line); border-width: 1px 0; }
dt { color: var(--text-soft); }
dd { margin: 0; }
.rights { list-style: none; margin: 1.25rem 0; padding: 0; }
.rights li { display: flex; gap: 0.6rem; padding: 0.2rem 0; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; }
legend { padding: 0; margin-bottom: 0.5rem; font-weight: 600; }
.choice { display: flex; align-items: baseline; gap: 0.7rem; margin-bottom: 0.5rem; padding: 0.7rem 0.9rem;
  border: 1px solid var(--line-strong); border-radius: 6px; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); outline: 1px solid var(--accent); }
.field { display: block; font-weight: 600; }
.field input { display: block; width: 10rem; margin-top: 0.3rem; padding: 0.6rem 0.8rem; font: inherit;
  letter-spacing: 0.2em; background: var(--ground); color: var(--text); border: 1px solid var(--line-strong);
  border-radius: 6px; }
input { accent-color: var(--accent); }
a { color: var(--accent); }
button, .button { display: inline-block; border: 0; border-radius: 6px; padding: 0.7rem 1.4rem; font: inherit;
  font-weight: 600; background: var(--brand); color: var(--on-brand); text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.mark circle { fill: currentcolor; opacity: 0.16; }
.mark path { fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.small { flex: none; width: 1.25rem; height: 1.6rem; }
.large { display: block; width: 3.5rem; height: 3.5rem; margin: 0 0 1rem; }
.good { color: var(--good); } .warn { color: var(--warn); } .neutral { color: var(--text-soft); }
.quiet, footer { color: var(--text-soft); font-size: 0.9rem; }
footer { margin: auto auto 1.5rem; padding: 0 1rem; text-align: center; }
@media (max-width: 30rem) {
  main { margin: 1rem auto; padding: 1.25rem; }
  dl { display: block; } dd + dt { margin-top: 0.5rem; }
  form > button { width: 100%; }
}
`;
