/** The theme's style sheet has the position; the outline's menu sets its height again when it opens, by script. */
const knownStyles = / style="(?:--vp-vh:0px|position:relative);?"/g;
const ownScripts = /<script id="check-(?:dark-mode|mac-os)">[\s\S]*?<\/script>/g;
const inline = /<script(?![^>]*\bsrc=)[^>]*>|<style\b|\sstyle="|\son[a-z]+="|javascript:/i;

/** Replaces the scripts that the generator writes into each page by one file. Fails if anything inline remains. */
export function withoutInlineCode(html: string, id: string): string {
  const page = html
    .replace(ownScripts, '')
    .replace(knownStyles, '')
    .replace('<script type="module"', '<script src="/guides/scheme.js"></script>\n    <script type="module"');
  const tags = page.replace(/>[^<]*/g, '>');
  const found = inline.exec(tags);
  if (found)
    throw new Error(`${id} has inline code, which the policy forbids: ${tags.slice(found.index, found.index + 120)}`);
  return page;
}
