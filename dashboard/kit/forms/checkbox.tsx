import { useId } from 'preact/hooks';

interface CheckboxProps {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
}

export function Checkbox({ label, hint, isChecked, onChecked }: CheckboxProps) {
  const hintId = useId();
  return (
    <div class="choice-group">
      <label class="choice-line">
        <input
          type="checkbox"
          aria-describedby={hint && hintId}
          checked={isChecked}
          onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
