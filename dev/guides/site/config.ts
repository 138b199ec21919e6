import { readFileSync } from 'node:fs';
import { createCssVariablesTheme } from 'shiki';
import { defineConfig, type DefaultTheme, type MarkdownRenderer, type UserConfig } from 'vitepress';
import { addressMark, addressMarks } from '../../../contract/guides.ts';
import { accessibleTheme } from './accessible-theme.ts';

interface Site {
  readonly groups: DefaultTheme.SidebarItem[];
}

/** Returns the generator's configuration for the sources in a folder. */
export function guidesConfig(folder: string): UserConfig<DefaultTheme.Config> {
  const { groups } = JSON.parse(readFileSync(`${folder}/site.json`, 'utf8')) as Site;
  return defineConfig({
    srcDir: 'pages',
    base: '/guides/',
    lang: 'en',
    title: 'Messaging channels',
    titleTemplate: ':title · Guides',
    description: 'Guides to messaging channels',
    cleanUrls: true,
    metaChunk: true,
    // Without the transition's switch: a style element that no page has, so that the policy has no hash of it.
    appearance: { disableTransition: false },
    head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/guides/icon.svg' }]],
    markdown: {
      theme: createCssVariablesTheme(),
      anchor: { slugify: anchorOf },
      config: renderRules,
    },
    vite: {
      plugins: [accessibleTheme],
      build: { target: 'es2022', chunkSizeWarningLimit: 2_000, reportCompressedSize: false, assetsInlineLimit: 0 },
      logLevel: 'warn',
    },
    themeConfig: themeOf(groups),
  });
}

function themeOf(groups: DefaultTheme.SidebarItem[]): DefaultTheme.Config {
  return {
    logo: { src: '/icon.svg', alt: '' },
    siteTitle: 'Messaging channels',
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(?!changelog)' },
      { text: 'API reference', link: `${addressMarks.api}/docs`, target: '_self', rel: '', noIcon: true },
      { text: 'What changed', link: '/changelog' },
      { text: 'Dashboard', link: `${addressMarks.api}/app`, target: '_self', rel: '', noIcon: true },
    ],
    sidebar: groups,
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: 'Previous', next: 'Next' },
    search: {
      provider: 'local',
      options: { detailedView: true, _render: searchableHtml, miniSearch: { searchOptions } },
    },
    notFound: { quote: 'There is no guide at this address.', linkText: 'All guides', linkLabel: 'All guides' },
  };
}

/** Makes empty headings of tables plain cells, and lets indented code scroll. */
function renderRules(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  if (rules.fence) rules.code_block = rules.fence;
  rules['th_open'] = (...given) => {
    const [tokens, index, options, , self] = given;
    if (tokens[index + 1]?.content === '') {
      tokens[index]!.tag = 'td';
      const end = tokens.slice(index).find(({ type }) => type === 'th_close');
      if (end) end.tag = 'td';
    }
    return self.renderToken(tokens, index, options);
  };
}

/** As code hosts do, so that the same links work there. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

const searchOptions = {
  fuzzy: 0.15,
  prefix: true,
  boost: { title: 4, titles: 2, text: 1 },
  combineWith: 'AND',
} as const;

/** Leaves out marks, whose words no reader looks for. */
const searchableHtml: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (source, env, markdown) => {
  const html = markdown.render(source, env);
  return env.frontmatter?.['search'] === false ? '' : html.replace(addressMark, '');
};
