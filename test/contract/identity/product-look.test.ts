import { readFileSync } from 'node:fs';
import test from 'ava';
import { productColors, SANS_FONTS } from '../../../contract/identity/product-look.ts';

const tokens = readFileSync(new URL('../../../dashboard/style/tokens.css', import.meta.url), 'utf8');

/** Returns the light and the dark color of `light-dark(…)`, or one color twice. */
function parseColors(value: string): readonly string[] {
  const both = /^light-dark\((.*), (.*)\)$/.exec(value);
  return both ? both.slice(1) : [value, value];
}

for (const scheme of ['light', 'dark'] as const) {
  test(`pages and emails have the dashboard's ${scheme} colors`, (t) => {
    for (const [name, value] of Object.entries(productColors[scheme])) {
      const property = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: `;
      const values = tokens
        .split(property)
        .slice(1)
        .map((rest) => rest.slice(0, rest.indexOf(';')));
      const index = scheme === 'light' ? 0 : 1;
      t.true(
        values.some((one) => parseColors(one)[index] === value),
        `${property}${value}`,
      );
    }
  });
}

test("pages and emails have the dashboard's fonts", (t) => {
  t.true(tokens.includes(`--sans: ${SANS_FONTS};`));
});
