import type { Row } from '../row.ts';
import { delivery } from './delivery.ts';

export const rows: Readonly<Record<string, Row>> = { delivery };
