import { normalizeProps, useMachine } from '@zag-js/preact';
import * as zag from '@zag-js/toast';
import { useEffect, useId } from 'preact/hooks';
import { Icon } from './icon.tsx';

const SHOWN_MS = 6_000;
const store = zag.createStore({ placement: 'bottom', max: 4, gap: 8, duration: SHOWN_MS, offsets: '20px' });

let setMounted = (): void => undefined;
const mounted = new Promise<void>((resolve) => {
  setMounted = resolve;
});

/** Waits for the region, which ignores what is older. */
export async function showToast(text: string, icon: 'check' | 'warning'): Promise<void> {
  await mounted;
  store.create({ title: text, type: icon === 'warning' ? 'error' : 'success' });
}

/** Rendered also while it is empty, so that screen readers announce new toasts. A pointer or the focus on them keeps them shown. */
export function ToastRegion() {
  const service = useMachine(zag.group.machine, { id: useId(), store });
  const api = zag.group.connect(service, normalizeProps);
  useEffect(setMounted, []);
  return (
    <div {...api.getGroupProps()} aria-label="Notifications">
      {api.getToasts().map((one, index) => (
        <Toast key={one.id} {...{ one, index, group: service }} />
      ))}
    </div>
  );
}

interface ToastProps {
  readonly one: zag.Options;
  readonly index: number;
  readonly group: zag.GroupService;
}

function Toast({ one, index, group }: ToastProps) {
  const service = useMachine(zag.machine, { ...one, parent: group, index } as object);
  const api = zag.connect(service, normalizeProps);
  return (
    <div {...api.getRootProps()} class="toast">
      <Icon name={api.type === 'error' ? 'warning' : 'check'} />
      <span {...api.getTitleProps()}>{api.title}</span>
      <button {...api.getCloseTriggerProps()} aria-label="Dismiss" class="copy">
        <Icon name="cross" />
      </button>
    </div>
  );
}
