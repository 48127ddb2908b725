"use client";
// The catalogue as a table, grouped by interface; a row expands to show where its priority comes from and to change it.
import { useMemo, useState, type ReactNode } from "react";
import { Breakable } from "@/components/ui/breakable";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import type { Catalogue, CatalogueStep } from "@/server/surfaces/trpc/types";

interface StepsTableProps {
  catalogue: Catalogue;
  /** Renders an expanded row. */
  detail: (step: CatalogueStep, close: () => void) => ReactNode;
}

export const sourceText = {
  default: "default",
  site: "site",
  sku: "SKU",
  host: "host",
} as const satisfies Record<CatalogueStep["source"], string>;

/** "90", "not by itself". */
function formatPriority({ priority, reserved, source }: CatalogueStep): string {
  if (reserved) return "reserved";
  return priority > 0 ? String(priority) : source === "default" ? "manual" : "disabled";
}

/** By interface, highest priority first. */
function orderedSteps({ steps }: Catalogue): readonly CatalogueStep[] {
  const interfaces = [...new Set(steps.map((step) => step.interface))];
  return [...steps].sort(
    (a, b) => interfaces.indexOf(a.interface) - interfaces.indexOf(b.interface) || b.priority - a.priority,
  );
}

export function StepsTable({ catalogue, detail }: StepsTableProps) {
  const [open, setOpen] = useState<string | null>(null);
  const rows = useMemo(() => orderedSteps(catalogue), [catalogue]);
  const toggle = (step: string) => setOpen((before) => (before === step ? null : step));
  const columns = useMemo(() => [stepColumn(open, toggle), ...stepColumns], [open]);
  return (
    <ResourceTable
      name="clean-steps"
      noun="step"
      caption="Clean steps"
      className="steps"
      columns={columns}
      list={allRows(rows)}
      rowId={({ name }) => name}
      namesOf={({ name, step }) => [name, step]}
      open={open}
      onToggle={toggle}
      groupOf={(step) => step.interface}
      rowClassName={({ applies }) => (applies === false ? "off" : undefined)}
      detail={(step) => detail(step, () => setOpen(null))}
      empty={null}
    />
  );
}

const column = columnsOf<CatalogueStep>();

const stepColumn = (open: string | null, onOpen: (step: string) => void): TableColumn<CatalogueStep> =>
  column.cell(
    "step",
    "Step",
    ({ name, step }) => (
      <button
        type="button"
        className="opener mono"
        aria-expanded={name === open}
        aria-label={`${name}, where its priority comes from`}
        onClick={() => onOpen(name)}
      >
        <Breakable text={step} />
      </button>
    ),
    {
      ...{ width: 248, narrow: "top-start", rowHeader: true, always: true, className: "wrapping" },
      sort: ({ step }) => step,
      text: ({ name }) => name,
    },
  );

/** "erases, cannot be stopped". */
const traitsText = ({ erases, abortable }: CatalogueStep): string =>
  `${erases ? "erases, " : ""}${abortable ? "can be stopped" : "cannot be stopped"}`;

const stepColumns = [
  column.cell("priority", "Priority", formatPriority, {
    width: 88,
    align: "end",
    narrow: "top-end",
    firstOrder: "descending",
    sort: ({ priority }) => priority,
  }),
  column.cell(
    "source",
    "From",
    ({ reserved, source }) =>
      reserved ? null : source === "default" ? (
        <span className="text-faint">default</span>
      ) : (
        <b className="text-medium">{sourceText[source]}</b>
      ),
    {
      ...{ width: 72, narrow: "bottom-end", className: "text-quiet" },
      sort: ({ reserved, source }) => (reserved ? null : sourceText[source]),
    },
  ),
  column.cell(
    "summary",
    "Description",
    ({ applies, summary }) => (
      <>
        {applies === false ? "Does not apply to this host. " : null}
        {summary}
      </>
    ),
    {
      ...{ narrow: "bottom-start", className: "text-soft" },
      title: ({ summary }) => summary,
      text: ({ summary }) => summary,
    },
  ),
  column.text("where", "Where", ({ where }) => where, { width: 84, from: "medium", className: "text-quiet" }),
  column.cell("traits", "Erases, can be stopped", (step) => <Traits step={step} />, {
    width: "min(204px, 18vw)",
    text: traitsText,
  }),
  column.text("proves", "Proves", ({ proves }) => proves.join(", "), {
    width: 220,
    from: "wide",
    className: "text-quiet",
  }),
];

function Traits({ step }: { step: CatalogueStep }) {
  const words = traitsText(step);
  return step.erases ? (
    <span className="marked-text" title={words}>
      <Mark tone="attention" label="" />
      <span className="cut">{words}</span>
    </span>
  ) : (
    <span className="text-quiet">{words}</span>
  );
}
