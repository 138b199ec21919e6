import { useRef, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { formatNumber } from '../../../kit/format/pluralize.ts';
import { toast } from '../../../kit/toast.tsx';
import { apiIn } from '../../../session/api.ts';
import type { DeliveryFilters } from '../filters/delivery-filters.ts';
import { useClosing } from '../filters/multi-filter.tsx';
import { type ExportFormat, exportText } from './export-text.ts';
import { loadMatching } from './load-matching.ts';

interface ExportMenuProps {
  readonly workspaceId: string;
  readonly filters: DeliveryFilters;
}

/** Bounds the browser's memory and the requests: 100 pages. */
const MAX_EXPORTED = 10_000;
const formats = [
  ['csv', 'CSV', 'text/csv'],
  ['jsonl', 'JSON lines', 'application/jsonl'],
] as const;

export function ExportMenu({ workspaceId, filters }: ExportMenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [count, setCount] = useState<number | null>(null);
  useClosing(details);
  const run = async (format: ExportFormat, type: string): Promise<void> => {
    if (details.current) details.current.open = false;
    setCount(0);
    try {
      const { signal } = new AbortController();
      const options = { client: apiIn(workspaceId), filters, max: MAX_EXPORTED, onProgress: setCount, signal };
      const { deliveries, hasMore } = await loadMatching(options);
      download(new Blob([exportText(deliveries, format)], { type }), `deliveries.${format}`);
      const exported = `${formatNumber(deliveries.length)} deliveries exported.`;
      toast(hasMore ? `${exported} There are more: narrow the time.` : exported, hasMore ? 'warning' : 'check');
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'warning');
    } finally {
      setCount(null);
    }
  };
  if (count !== null) return <Button busy>Exporting {formatNumber(count)}…</Button>;
  return (
    <details class="multi-filter at-end" ref={details}>
      <summary class="button">
        Export <Icon name="down" />
      </summary>
      <div class="multi-options">
        {formats.map(([format, label, type]) => (
          <Button key={format} tone="quiet" onClick={() => void run(format, type)}>
            {label}
          </Button>
        ))}
        <p class="hint">The list as filtered, up to {formatNumber(MAX_EXPORTED)} deliveries.</p>
      </div>
    </details>
  );
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
