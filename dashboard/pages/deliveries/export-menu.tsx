import { useState } from 'preact/hooks';
import { formatNumber } from '../../kit/format/format.ts';
import { Menu } from '../../kit/menus/menu.tsx';
import { Button } from '../../kit/parts.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { toast } from '../../kit/toast.tsx';
import { usePlace } from '../../session/page-outlet.tsx';
import type { DeliveryFilters } from './delivery-filters.ts';
import { type ExportFormat, exportText } from './export-text.ts';
import { loadMatching } from './selection.ts';

/** Bounds the browser's memory and the requests: 100 pages. */
const MAX_EXPORTED = 10_000;
const formats = [
  ['csv', 'CSV', 'text/csv'],
  ['jsonl', 'JSON lines', 'application/jsonl'],
] as const;

export function ExportMenu({ filters }: { readonly filters: DeliveryFilters }) {
  const { api } = usePlace();
  const [count, setCount] = useState<number | null>(null);
  const run = async (format: ExportFormat, type: string): Promise<void> => {
    setCount(0);
    try {
      const { signal } = new AbortController();
      const options = { client: api, filters, max: MAX_EXPORTED, onProgress: setCount, signal };
      const { deliveries, hasMore } = await loadMatching(options);
      saveFile(new Blob([exportText(deliveries, format)], { type }), `deliveries.${format}`);
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
