import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

interface Change {
  /** Matches the end of a file's path. */
  readonly file: RegExp;
  readonly from: string;
  readonly to: string;
}

/**
 * The policy of the page allows no style elements and no style attributes, so the renderer's code that creates them at run
 * time is changed in the build. Styles set through `element.style` and constructed sheets are allowed. Remove a change when
 * the package no longer needs it: https://github.com/scalar/scalar, https://github.com/marijnh/style-mod,
 * https://github.com/xiaoluoboding/vue-sonner.
 */
const changes: readonly Change[] = [
  {
    // The theme. It is in the style sheet.
    file: /api-reference\/dist\/components\/ApiReference\.vue\.script\.js$/,
    from: 'createBlock(resolveDynamicComponent("style"), { innerHTML: styleContent.value }, null, 8, ["innerHTML"])',
    to: 'createCommentVNode("", true)',
  },
  {
    // A hidden element to measure scroll bars.
    file: /themes\/dist\/index\.js$/,
    from: 'parent.setAttribute("style", "width:30px;height:30px;overflow-y:scroll;")',
    to: 'parent.style.cssText = "width:30px;height:30px;overflow-y:scroll;"',
  },
  {
    file: /themes\/dist\/index\.js$/,
    from: 'child.setAttribute("style", "width:100%;height:40px")',
    to: 'child.style.cssText = "width:100%;height:40px"',
  },
  {
    // The editor of the request's body.
    file: /style-mod\/src\/style-mod\.js$/,
    from: 'if (!root.head && root.adoptedStyleSheets && win.CSSStyleSheet)',
    to: 'if (root.adoptedStyleSheets && win.CSSStyleSheet)',
  },
  {
    // Toasts.
    file: /vue-sonner\/lib\/vue-sonner\.js$/,
    from:
      'let n = document.createElement("style");\n    n.type = "text/css", t.appendChild(n), ' +
      'n.styleSheet ? n.styleSheet.cssText = s : n.appendChild(document.createTextNode(s));',
    to: 'const n = new CSSStyleSheet();\n    n.replaceSync(s), document.adoptedStyleSheets.push(n);',
  },
  {
    // The width of line numbers, which the page does not show.
    file: /code-highlight\/dist\/chunks\/code\.js$/,
    from: 'node.properties.style = [`--line-count: ${numLines};`, `--line-digits: ${numLines.toString().length};`];',
    to: '',
  },
  {
    // Its label is hidden until the pointer is over the button, also for screen readers.
    file: /components\/dist\/components\/ScalarCopy\/ScalarCopyButton\.vue\.script\.js$/,
    from: 'mergeProps({ type: "button" },',
    to: 'mergeProps({ type: "button", "aria-label": "Copy" },',
  },
  {
    // Two regions with the same name on a page.
    file: /example-responses\/ExampleResponses\.vue\.script\.js$/,
    from: 'role: "region"',
    to: 'role: "group"',
  },
  {
    // Lists that scroll are reached with the keyboard.
    file: /components\/OperationsList\/OperationsList\.vue\.script\.js$/,
    from: 'class: "endpoints"',
    to: 'class: "endpoints", tabindex: "0"',
  },
  {
    file: /components\/ScalarCard\/ScalarCardSection\.vue\.script\.js$/,
    from: 'normalizeProps(guardReactiveProps(unref(cx)("scalar-card-content',
    to: 'Object.assign({ tabindex: 0 }, (unref(cx)("scalar-card-content',
  },
  ...injectedSheets(/use-toasts\/dist\/index\.js$/, 'elementStyle'),
];

/** A package that adds its sheet when it is loaded. The sheet is constructed instead. */
function injectedSheets(file: RegExp, variable: string): readonly Change[] {
  const construct =
    '{ appendChild(text) { const sheet = new CSSStyleSheet(); sheet.replaceSync(text.data); ' +
    'document.adoptedStyleSheets.push(sheet); } }';
  return [
    { file, from: `${variable} = document.createElement("style")`, to: `${variable} = ${construct}` },
    { file, from: `document.head.appendChild(${variable})`, to: 'undefined' },
  ];
}

/** Fails the build if a file no longer has the text, so that an update of the package cannot bring the elements back. */
export function adaptRenderer(): Plugin {
  const applied = new Set<Change>();
  return {
    name: 'adapt-renderer',
    setup(build) {
      build.onStart(() => applied.clear());
      build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const own = changes.filter(({ file }) => file.test(path));
        if (own.length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const change of own) {
          if (!contents.includes(change.from)) continue;
          contents = contents.replaceAll(change.from, change.to);
          applied.add(change);
        }
        return { contents, loader: 'js' };
      });
      build.onEnd(() => {
        const missing = changes.filter((change) => !applied.has(change));
        return { errors: missing.map(({ file, from }) => ({ text: `${String(file)} no longer contains: ${from}` })) };
      });
    },
  };
}
