import { mergeProps, normalizeProps, useMachine } from '@zag-js/preact';
import * as tooltip from '@zag-js/tooltip';
import { cloneElement, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface TooltipProps {
  readonly text: string;
  /** One element that takes the focus, such as a button or a link. */
  readonly children: VNode<object>;
}

/** Describes its child on hover and on focus. It adds to a name; it never replaces one. */
export function Tooltip({ text, children }: TooltipProps) {
  const service = useMachine(tooltip.machine, {
    id: useId(),
    openDelay: 300,
    closeDelay: 100,
    positioning: { placement: 'top', strategy: 'fixed', gutter: 6 },
  });
  const api = tooltip.connect(service, normalizeProps);
  const trigger = api.getTriggerProps();
  return (
    <>
      {cloneElement(children, mergeProps(children.props, trigger as object))}
      {api.open && (
        <div {...api.getPositionerProps()} class="floating">
          <div {...api.getContentProps()} class="tooltip">
            {text}
          </div>
        </div>
      )}
    </>
  );
}
