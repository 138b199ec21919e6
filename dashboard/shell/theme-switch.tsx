import { Icon } from '../kit/icon.tsx';
import { chooseTheme, type Theme, theme, themes } from '../session/theme.ts';

export const looks = {
  system: { label: 'System theme', icon: 'monitor' },
  light: { label: 'Light theme', icon: 'sun' },
  dark: { label: 'Dark theme', icon: 'moon' },
} as const satisfies Record<Theme, object>;

/** Three buttons that act as one choice. */
export function ThemeSwitch() {
  return (
    <div class="theme-switch" role="group" aria-label="Theme">
      {themes.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={looks[one].label}
          title={looks[one].label}
          aria-pressed={theme.value === one}
          onClick={() => chooseTheme(one)}
        >
          <Icon name={looks[one].icon} />
        </button>
      ))}
    </div>
  );
}
