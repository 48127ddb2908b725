"use client";
// SKUs whose stored components cannot be read: what is wrong with each, and buttons to repair or delete it.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { UnreadableSkuLine } from "@/server/surfaces/trpc/types";
import { SkuDialog } from "@/components/hosts/skus/edit-sku";
import { RemoveDialog } from "@/components/hosts/skus/sku-dialogs";

interface UnreadableSkusProps {
  readonly skus: readonly UnreadableSkuLine[];
  /** Why this user may not write SKUs. */
  readonly whyNot: string | undefined;
}

const dialogs = { repair: SkuDialog, remove: RemoveDialog } as const;

/** Empty if every SKU can be read. */
export function UnreadableSkus({ skus, whyNot }: UnreadableSkusProps) {
  const [asked, setAsked] = useState<{
    readonly kind: keyof typeof dialogs;
    readonly sku: UnreadableSkuLine;
  }>();
  const Asked = asked === undefined ? undefined : dialogs[asked.kind];
  if (skus.length === 0) return null;
  return (
    <section aria-label="Unreadable SKUs">
      <Notice tone="attention">
        {formatCounted(skus.length, "SKU")} cannot be read, so no host is matched with{" "}
        {skus.length === 1 ? "it" : "them"}. Repair or delete {skus.length === 1 ? "it" : "them"}.
      </Notice>
      <DataTable
        caption="Unreadable SKUs"
        columns={columnsFor(whyNot, (kind, sku) => setAsked({ kind, sku }))}
        rows={skus}
        rowId={({ id }) => id}
      />
      {Asked === undefined || asked === undefined ? null : (
        <Asked sku={asked.sku} onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
}

const column = columnsOf<UnreadableSkuLine>();

const columnsFor = (
  whyNot: string | undefined,
  ask: (kind: keyof typeof dialogs, sku: UnreadableSkuLine) => void,
): readonly TableColumn<UnreadableSkuLine>[] => [
  column.name("name", "Name", ({ name }) => name, { width: 200 }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 80, narrow: "top-end" }),
  column.cell("faults", "What is wrong", ({ faults }) => faults.join("; "), {
    spaced: true,
    narrow: "bottom-start",
    title: ({ faults }) => faults.join("\n"),
  }),
  column.acts(168, (sku) => (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Repair ${sku.name}`}
        onClick={() => ask("repair", sku)}
      >
        Repair…
      </Button>
      <Button
        small
        disabledReason={
          whyNot ?? (sku.hosts > 0 ? `${formatCounted(sku.hosts, "host")} with this SKU` : undefined)
        }
        aria-label={`Delete ${sku.name}`}
        onClick={() => ask("remove", sku)}
      >
        Delete…
      </Button>
    </span>
  )),
];
