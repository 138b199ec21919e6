import type { Plugin } from 'vitepress';

const box = 'VPLocalSearchBox.vue';
const button = 'VPNavBarSearchButton.vue';
const scheme = 'VPSwitchAppearance.vue';
const notFound = 'NotFound.vue';

/**
 * What accessibility checks find in the generator's theme (1.6.4), and its correction. Links can't be options of a list,
 * and a dialog is not a button. Remove a row when the generator has corrected it.
 */
const corrections: readonly (readonly [file: string, from: string, to: string])[] = [
  [box, 'role="button"\n', 'role="dialog"\n      aria-modal="true"\n      aria-label="Search"\n'],
  [box, `      :aria-owns="results?.length ? 'localsearch-list' : undefined"\n`, ''],
  [box, '      aria-expanded="true"\n      aria-haspopup="listbox"\n      aria-labelledby="localsearch-label"\n', ''],
  [
    box,
    'aria-labelledby="localsearch-label"\n            autocapitalize',
    ':aria-label="buttonText"\n            autocapitalize',
  ],
  [box, `          :aria-labelledby="results?.length ? 'localsearch-label' : undefined"\n`, ''],
  [
    box,
    `            :aria-activedescendant="selectedIndex > -1 ? ('localsearch-item-' + selectedIndex) : undefined"\n`,
    '',
  ],
  [box, '            aria-autocomplete="both"\n', ''],
  [box, `            :aria-controls="results?.length ? 'localsearch-list' : undefined"\n`, ''],
  [box, `          :role="results?.length ? 'listbox' : undefined"\n`, ''],
  [box, `            :aria-selected="selectedIndex === index ? 'true' : 'false'"\n            role="option"\n`, ''],
  [box, `              :aria-label="[...p.titles, p.title].join(' > ')"\n`, ''],
  [box, '<span class="title-icon">', '<span class="title-icon" aria-hidden="true">'],
  [box, `<kbd :aria-label="translate('modal.footer.navigateUpKeyAriaLabel')">`, `<kbd role="img" aria-label="Up">`],
  [box, `<kbd :aria-label="translate('modal.footer.navigateDownKeyAriaLabel')">`, `<kbd role="img" aria-label="Down">`],
  [box, `<kbd :aria-label="translate('modal.footer.selectKeyAriaLabel')">`, `<kbd role="img" aria-label="Enter">`],
  [box, `<kbd :aria-label="translate('modal.footer.closeKeyAriaLabel')">`, '<kbd>'],
  [button, `:aria-label="translate('button.buttonAriaLabel')"`, ''],
  [button, '<span class="DocSearch-Button-Keys">', '<span class="DocSearch-Button-Keys" aria-hidden="true">'],
  [scheme, ':title="switchTitle"', ':title="switchTitle"\n    aria-label="Dark colors"'],
  [notFound, '<div class="NotFound">', '<main class="NotFound">'],
  [notFound, '  </div>\n</template>', '  </main>\n</template>'],
];

/** Corrects the theme's components while they are compiled. Fails if a new version needs other corrections. */
export const accessibleTheme: Plugin = {
  name: 'accessible-theme',
  enforce: 'pre',
  transform(code, id) {
    const file = /vitepress\/dist\/client\/theme-default\/(?:components\/)?(\w+\.vue)$/.exec(id)?.[1];
    const wanted = corrections.filter(([name]) => name === file);
    if (wanted.length === 0) return null;
    return wanted.reduce((corrected, [name, from, to]) => {
      if (!corrected.includes(from)) throw new Error(`${name} has no ${JSON.stringify(from)} to correct.`);
      return corrected.replace(from, to);
    }, code);
  },
};
