import { describeKeys, isApple, shortcuts } from '../kit/commands/shortcuts.ts';
import { Dialog } from '../kit/dialogs.tsx';

/** Lists the keys that work on this page. Opens with `?`. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const shown = new Map(shortcuts.value.map(({ keys, description }) => [keys, description]));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcut-list">
        {[...shown].map(([keys, description]) => (
          <div key={keys}>
            <dt>{description}</dt>
            <dd>
              {describeKeys(keys, isApple())
                .split(' ')
                .map((key, index) => (
                  <kbd key={index}>{key}</kbd>
                ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
