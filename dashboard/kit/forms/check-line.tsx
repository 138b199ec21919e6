import { useId } from 'preact/hooks';

interface CheckLineProps {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
}

/** One thing that is so or not. */
export function CheckLine({ label, hint, isChecked, onChecked }: CheckLineProps) {
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
