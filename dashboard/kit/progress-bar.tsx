interface ProgressBarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

export function ProgressBar({ label, value, max }: ProgressBarProps) {
  return <progress class="progress" aria-label={label} value={max === 0 ? 1 : value} max={max === 0 ? 1 : max} />;
}
