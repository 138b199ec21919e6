import { useEffect, useRef, useState } from 'preact/hooks';
import { type Command, commands, isPaletteOpen, searches } from '../kit/commands/commands.ts';
import { Dialog } from '../kit/dialogs.tsx';
import { Icon } from '../kit/icon.tsx';
import { ChoiceList } from '../kit/menus/choice-list.tsx';
import { matchesChoice } from '../kit/menus/find-choices.ts';

const MAX_SHOWN = 60;

/** Finds pages, workspaces, channels, ids and the actions of the page. Opens with ⌘K or Ctrl+K. */
export function Palette() {
  const [text, setText] = useState('');
  const found = useFound(text);
  const own = commands.value.filter((command) => matchesChoice({ ...command, value: command.group }, text));
  const items = withoutDuplicates([...own, ...found])
    .slice(0, MAX_SHOWN)
    .map((command) => ({ ...command, value: command.id }));
  const close = (): void => void (isPaletteOpen.value = false);
  return (
    <Dialog title="Go to or run" isPalette onClose={close}>
      <ChoiceList
        label="Commands"
        items={items}
        placeholder="Search pages, workspaces, channels and IDs"
        empty="Nothing matches. Paste an ID, or type the name of a page, workspace or channel."
        onText={setText}
        onChoose={({ run }) => {
          close();
          requestAnimationFrame(() => void run());
        }}
        render={(item) => <Entry item={item} />}
      />
    </Dialog>
  );
}

function Entry({ item: { label, hint, icon, group } }: { readonly item: Command }) {
  return (
    <>
      <Icon name={icon ?? 'right'} />
      <span class="name">
        {label} {hint && <code>{hint}</code>}
      </span>
      <span class="soft">{group}</span>
    </>
  );
}

/** Keeps the last results until new ones arrive, and drops outdated ones. */
function useFound(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly Command[]>([]);
  const latest = useRef(0);
  useEffect(() => {
    const request = ++latest.current;
    // A search that fails finds nothing; the pages report the reason.
    const asked = searches.value.map((search) => search(text).catch(() => []));
    void Promise.all(asked).then((results) => {
      if (request === latest.current) setFound(results.flat());
    });
    return () => void latest.current++;
  }, [text, searches.value]);
  return found;
}

/** Keeps the first command of each id, at its place. */
function withoutDuplicates(list: readonly Command[]): readonly Command[] {
  const known = new Set<string>();
  return list.filter(({ id }) => !known.has(id) && known.add(id));
}
