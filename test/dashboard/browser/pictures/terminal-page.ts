import { html, type Markup } from '../../../../contract/text/html.ts';

export interface Command {
  /** As it is typed. */
  readonly line: string;
  /** With the escape sequences of colors. */
  readonly output: string;
}

const colors: Readonly<Record<string, string>> = {
  1: 'font-weight: 700',
  2: 'opacity: 0.65',
  31: 'color: #ff9a94',
  32: 'color: #7fd6a0',
  33: 'color: #f0bf6a',
  34: 'color: #99a6ff',
  36: 'color: #8cc4f5',
  90: 'color: #a3abbc',
};

/** Returns a page that shows commands as a terminal does. */
export function terminalPage(commands: readonly Command[]): string {
  // The line breaks are in the texts, because templates are formatted and a `pre` shows each space.
  const shown = commands.flatMap(({ line, output }) => [
    html`<b style="color: #7fd6a0">$</b>`,
    html`<b>${` ${line}\n`}</b>`,
    ...colored(`${output}\n`),
  ]);
  return html`<!doctype html>
    <meta charset="utf-8" />
    <body style="margin: 0; background: #11141b; color: #e7e9ef">
      <pre style="margin: 0; padding: 20px; width: max-content; font: 14px/1.5 'DejaVu Sans Mono', monospace">
${shown}</pre>
    </body>`.markup;
}

/** An escape sequence starts a style; any that ends one ends all of them. */
function colored(output: string): readonly Markup[] {
  const styles: string[] = [];
  return output.split(/\u001b\[(\d+)m/).flatMap((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [html`<span style="${styles.join('; ')}">${part}</span>`];
    const style = colors[part];
    if (style === undefined) styles.length = 0;
    else styles.push(style);
    return [];
  });
}
