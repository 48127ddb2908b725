"use client";
// The baseline of a host's SKU next to what the BMC reported last: BIOS attributes, firmware, lockdown, and BMC settings.
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { HostInventoryView } from "@/server/surfaces/trpc/types";

type Line = HostInventoryView["baseline"][number];

const results = {
  same: { tone: "good", words: "same" },
  differs: { tone: "failed", words: "differs" },
  unknown: { tone: "neutral", words: "not known" },
} as const;
const resultOf = ({ same }: Line) => results[same === null ? "unknown" : same ? "same" : "differs"];

/** Empty if the SKU names no BIOS attributes. */
export function BiosSection({ bios, stale = false }: Pick<HostInventoryView, "bios"> & { stale?: boolean }) {
  if (bios === null) return null;
  return (
    <>
      <div className="sec">
        <h2>BIOS</h2>
        <span className="sum cut">
          {bios.readAt === null ? (
            "not known: the BMC offers no settings that can be written, or its inventory has to be read again"
          ) : (
            <>
              what the SKU&apos;s baseline requires, and what the BMC reported <Age at={bios.readAt} /> ago
            </>
          )}
        </span>
      </div>
      <DataTable
        caption="BIOS against the SKU"
        columns={columns}
        rowClassName={() => (stale ? "text-quiet" : undefined)}
        rows={bios.lines}
        rowId={({ name }) => name}
        empty={<Empty title="No BIOS attributes">The SKU&apos;s baseline names none.</Empty>}
      />
    </>
  );
}

/** Empty if the SKU names none of these. */
export function BaselineSection({
  baseline,
  stale = false,
}: Pick<HostInventoryView, "baseline"> & { stale?: boolean }) {
  if (baseline.length === 0) return null;
  return (
    <>
      <div className="sec">
        <h2>Baseline</h2>
        <span className="sum cut">
          firmware, lockdown and BMC: what the SKU requires, and what the BMC reported last
        </span>
      </div>
      <DataTable
        caption="Baseline against the SKU"
        columns={columns}
        rowClassName={() => (stale ? "text-quiet" : undefined)}
        rows={baseline}
        rowId={({ name }) => name}
      />
    </>
  );
}

const column = columnsOf<Line>();

const columns = [
  column.name("setting", "Setting", ({ name }) => name),
  column.text("required", "Required", ({ wanted }) => wanted, {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  column.text("found", "Found", ({ found }) => found, { narrow: "bottom-end", none: "not known" }),
  column.cell(
    "result",
    "Result",
    (line) => {
      const { tone, words } = resultOf(line);
      return (
        <span className="marked-text">
          <Mark tone={tone} label="" />
          <span className={line.same === false ? "tone" : "text-quiet"} data-tone="failed">
            {words}
          </span>
        </span>
      );
    },
    { narrow: "top-end", sort: (line) => resultOf(line).words },
  ),
];
