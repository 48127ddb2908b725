// The columns of the hosts table: words, sort, width, and priority on narrow screens. Server and browser read it.

/** How a column lies in the table. */
export interface ColumnLook {
  /** Words in the head and in the menu of columns. */
  words: string;
  /** Its `<col>` and cells carry this class: width, and below which page width it goes (1 first). */
  className: string;
  /** The name by which the server sorts, where it does. */
  sort?: "name" | "since" | "lastReady";
  /** Where it lies in the two-line row of a narrow screen: a, b above; c, d below; w a whole line. */
  narrow?: "a" | "b" | "c" | "d" | "w";
  right?: boolean;
  /** Cannot be hidden. */
  always?: boolean;
}

export const columnLooks = {
  name: { words: "Host", className: "col-host", sort: "name", narrow: "a", always: true },
  state: { words: "State", className: "col-state", narrow: "c", always: true },
  since: { words: "In state, limit", className: "col-since", sort: "since", narrow: "b", right: true },
  detail: { words: "Running step, or what it waits for", className: "col-detail", narrow: "w" },
  health: { words: "Health", className: "col-health p2" },
  tenant: { words: "Tenant", className: "col-tenant p2" },
  rack: { words: "Rack", className: "col-rack p1", narrow: "d" },
  sku: { words: "SKU", className: "col-sku p3" },
  lastReady: { words: "Last ready", className: "col-ready p3", sort: "lastReady", right: true },
} as const satisfies Record<string, ColumnLook>;

export type ColumnId = keyof typeof columnLooks;

/** Whether a text names a column. */
export const isColumnId = (id: string): id is ColumnId => Object.hasOwn(columnLooks, id);
export const columnIds = Object.keys(columnLooks).filter(isColumnId);
