import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { Menu } from '../../../kit/menus/menu.tsx';
import { formatNumber } from '../../../kit/format/pluralize.ts';
import { toast } from '../../../kit/toast.tsx';
import { apiIn } from '../../../session/api.ts';
import type { DeliveryFilters } from '../filters/delivery-filters.ts';
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
  const [count, setCount] = useState<number | null>(null);
  const run = async (format: ExportFormat, type: string): Promise<void> => {
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
  const hint = `as filtered, up to ${formatNumber(MAX_EXPORTED)}`;
  const items = formats.map(([format, label, type]) => ({ label, hint, onSelect: () => void run(format, type) }));
  return <Menu label="Export" items={items} />;
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
