/** The policy allows no inline styles. Colors have a contrast of at least 4.5:1. */
export const styleSheet = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --quiet: #4a525c; --line: #b6bec8; --act: #0b57d0; --on-act: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --paper: #16181b; --quiet: #b5bcc5; --line: #5a626c; --act: #a8c7fa; --on-act: #10233f; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
p, dd, label { overflow-wrap: anywhere; }
dl { border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); padding: 0.75rem 0; }
dt { color: var(--quiet); font-size: 0.9rem; }
dd { margin: 0 0 0.5rem; }
fieldset { border: 1px solid var(--line); border-radius: 0.5rem; margin: 0 0 1.25rem; padding: 0.5rem 1rem; }
label { display: block; padding: 0.4rem 0; }
button, .button { display: inline-block; border: 0; border-radius: 0.5rem; padding: 0.7rem 1.4rem; font: inherit;
  font-weight: 600; background: var(--act); color: var(--on-act); text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 3px; }
.brand { display: flex; align-items: center; gap: 0.75rem; font-weight: 600; margin: 0 0 1.5rem; }
.brand img { max-width: 12rem; max-height: 3rem; }
.quiet { color: var(--quiet); font-size: 0.9rem; }
`;
