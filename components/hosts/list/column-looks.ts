// The columns of the hosts table: label, order, width, and priority on narrow screens. Used by the server and the browser.
import type { ColumnLayout } from "@/components/ui/table/columns";

interface HostColumn extends ColumnLayout {
  /** Whether the server can sort by it. */
  readonly sortable?: boolean;
}

export const columnLooks = {
  name: {
    label: "Host",
    width: 104,
    narrow: "top-start",
    rowHeader: true,
    always: true,
    sortable: true,
  },
  state: { label: "State", width: 250, narrow: "bottom-start", always: true },
  standing: { label: "Standing", width: 168, from: "medium" },
  since: {
    label: "In state, limit",
    width: 140,
    narrow: "top-end",
    align: "end",
    sortable: true,
    firstOrder: "descending",
  },
  detail: { label: "Running step, or why it waits", narrow: "line", spaced: true },
  health: { label: "Health", width: 118, from: "medium" },
  tenant: { label: "Tenant", width: 92, from: "medium" },
  rack: { label: "Rack", width: 62, narrow: "bottom-end" },
  sku: { label: "SKU", width: 116, from: "wide" },
  lastReady: { label: "Last ready", width: 94, align: "end", from: "widest", sortable: true },
} as const satisfies Record<string, HostColumn>;

export type ColumnId = keyof typeof columnLooks;

export const isColumnId = (id: string): id is ColumnId => Object.hasOwn(columnLooks, id);
export const columnIds = Object.keys(columnLooks).filter(isColumnId);
export const hostColumnOf = (id: ColumnId): HostColumn => columnLooks[id];
