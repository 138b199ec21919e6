interface Change {
  /** Matches exactly one place of the script. */
  readonly from: RegExp;
  readonly to: string;
}

/**
 * The policy of the page allows no style elements and no style attributes, so the renderer's code that creates them at run
 * time is changed in the build. Styles set through `element.style` and constructed sheets are allowed. The script is
 * minified, and expressions match its short names. Remove a change when the package no longer needs it:
 * https://github.com/scalar/scalar, https://github.com/marijnh/style-mod, https://github.com/xiaoluoboding/vue-sonner.
 */
const changes: readonly Change[] = [
  // It is a module of the page: it loads no other and doesn't look for an element to start at.
  { from: /typeof exports==`object`&&typeof module<`u`\?t\(require\("radix-vue\/namespaced"\)\):/, to: '' },
  { from: /,[\w$]+\(document,[\w$]+\(document\)\)\}\);(?=\s*(?:\/\/# sourceMappingURL=\S+\s*)?$)/, to: '});' },
  // The theme. It is in the style sheet, and a template shows nothing.
  { from: /\(`style`\),\{innerHTML:/, to: '(`template`),{innerHTML:' },
  // A hidden element to measure scroll bars.
  {
    from: /\.setAttribute\(`style`,`width:30px;height:30px;overflow-y:scroll;`\)/,
    to: '.style.cssText=`width:30px;height:30px;overflow-y:scroll;`',
  },
  { from: /\.setAttribute\(`style`,`width:100%;height:40px`\)/, to: '.style.cssText=`width:100%;height:40px`' },
  // The editor of the request's body.
  {
    from: /if\(!([\w$]+)\.head&&\1\.adoptedStyleSheets&&([\w$]+)\.CSSStyleSheet\)/,
    to: 'if($1.adoptedStyleSheets&&$2.CSSStyleSheet)',
  },
  // Toasts: the sheet of the library, and the one of the renderer.
  {
    from: /let ([\w$]+)=document\.createElement\(`style`\);\1\.type=`text\/css`,[\w$]+\.appendChild\(\1\),\1\.styleSheet\?\1\.styleSheet\.cssText=([\w$]+):\1\.appendChild\(document\.createTextNode\(\2\)\)/,
    to: 'let $1=new CSSStyleSheet;$1.replaceSync($2),document.adoptedStyleSheets.push($1)',
  },
  {
    from: /var ([\w$]+)=document\.createElement\(`style`\);\1\.appendChild\(document\.createTextNode\((`[^`]*`)\)\),document\.head\.appendChild\(\1\)/,
    to: 'var $1=new CSSStyleSheet;$1.replaceSync($2),document.adoptedStyleSheets.push($1)',
  },
  // The width of line numbers, which the page does not show. Nothing reads the other field.
  { from: /\.properties\.style=(?=\[`--line-count: )/, to: '.lines=' },
  // Its label is hidden until the pointer is over the button, also for screen readers.
  {
    from: /\(\{type:`button`\}(?=,[\w$]+\([\w$]+\)\(`group\/copy-button )/,
    to: '({type:`button`,"aria-label":`Copy`}',
  },
  // Two regions with the same name on a page.
  { from: /class:`response-card`,role:`region`/, to: 'class:`response-card`,role:`group`' },
  // Lists that scroll are reached with the keyboard.
  { from: /class:`endpoints`\}/, to: 'class:`endpoints`,tabindex:`0`}' },
  {
    from: /\([\w$]+\((?=[\w$]+\([\w$]+\)\(`scalar-card-content )/,
    to: '(Object.assign({tabindex:0},',
  },
];

/**
 * Returns the renderer's script with the changes that the page needs.
 *
 * @throws Error if the script does not have each of the places once, so that an update of the package cannot bring the
 *   elements back
 */
export function adaptRenderer(script: string): string {
  const missing = changes.filter(({ from }) => script.match(new RegExp(from, 'g'))?.length !== 1);
  if (missing.length > 0) {
    const places = missing.map(({ from }) => from.source).join('\n');
    throw new Error(`The renderer of the API reference no longer has one place that matches\n${places}`);
  }
  return changes.reduce((changed, { from, to }) => changed.replace(from, to), script);
}
