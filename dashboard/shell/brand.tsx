/** Repeats icon.svg inline, so that it follows the color scheme. */
export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M8 11.5h10.5a4.5 4.5 0 0 1 0 9H15M11.5 7.5l-4 4 4 4" />
        <circle cx="10" cy="20.5" r="2" />
      </svg>
      Messaging channels
    </span>
  );
}
