import {
  Ban,
  BookOpen,
  Check,
  ChevronDown,
  ChevronRight,
  ChevronsUpDown,
  CircleAlert,
  Clock,
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  Eye,
  Funnel,
  Inbox,
  Info,
  KeyRound,
  Keyboard,
  LogOut,
  Menu,
  Monitor,
  Moon,
  Pause,
  Pencil,
  Play,
  Plus,
  RefreshCw,
  RotateCcw,
  Search,
  Send,
  Settings,
  Sun,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide';
import { createElement } from 'preact';

/** Icons of Lucide, by their use. A page loads only those that this table names. */
const shapes = {
  alert: CircleAlert,
  book: BookOpen,
  cancel: Ban,
  check: Check,
  clock: Clock,
  copy: Copy,
  cross: X,
  delete: Trash2,
  down: ChevronDown,
  download: Download,
  edit: Pencil,
  external: ExternalLink,
  eye: Eye,
  filter: Funnel,
  inbox: Inbox,
  info: Info,
  key: KeyRound,
  keyboard: Keyboard,
  menu: Menu,
  monitor: Monitor,
  moon: Moon,
  more: Ellipsis,
  pause: Pause,
  play: Play,
  plus: Plus,
  refresh: RefreshCw,
  replay: RotateCcw,
  right: ChevronRight,
  search: Search,
  send: Send,
  settings: Settings,
  'sign-out': LogOut,
  sun: Sun,
  switch: ChevronsUpDown,
  warning: TriangleAlert,
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {shapes[name].map(([shape, attributes], index) => createElement(shape, { key: index, ...attributes }))}
    </svg>
  );
}
