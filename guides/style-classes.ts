import type { MarkdownRenderer } from 'vitepress';
import type { ShikiTransformer } from 'shiki';

/** Names the kind of a token by a class, because the policy forbids style attributes. */
export const tokenClasses: ShikiTransformer = {
  name: 'token-classes',
  pre(node) {
    delete node.properties['style'];
  },
  tokens(lines) {
    for (const token of lines.flat()) {
      const kind = /--shiki-(?:token-)?([a-z-]+)/.exec(token.color ?? '')?.[1];
      delete token.color;
      token.htmlStyle = {};
      if (kind !== undefined && kind !== 'foreground') token.htmlAttrs = { ...token.htmlAttrs, class: `code-${kind}` };
    }
  },
};

/** Aligns the cells of a table by a class, makes empty headings plain cells, and lets indented code scroll. */
export function renderRules(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (fence) markdown.renderer.rules.code_block = fence;
  for (const rule of ['th_open', 'td_open'] as const) {
    markdown.renderer.rules[rule] = (...given) => {
      const [tokens, index, options, , self] = given;
      const token = tokens[index]!;
      const style = token.attrGet('style');
      if (style) {
        token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
        token.attrJoin('class', style.replace('text-align:', 'align-'));
      }
      if (rule === 'th_open' && tokens[index + 1]?.content === '') {
        token.tag = 'td';
        const end = tokens.slice(index).find(({ type }) => type === 'th_close');
        if (end) end.tag = 'td';
      }
      return self.renderToken(tokens, index, options);
    };
  }
}
