"use client";
// The leftovers of a host, one per line, with what became of each.
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Empty } from "@/components/ui/empty";
import type { Tone } from "@/components/ui/tone";
import { standing } from "@/server/domain/hosts/decommission/leftovers";
import type { LeftoverLine } from "@/server/surfaces/trpc/types";

const words = {
  found: "found",
  removed: "removed",
  refused: "refused by the BMC",
  unreadable: "could not be read",
  kept: "kept",
  notOffered: "not offered by the BMC",
} as const satisfies Record<LeftoverLine["outcome"], string>;

/** A leftover that still stands after the BMC has answered for it needs a person. */
function toneOf(line: LeftoverLine): Tone {
  if (line.outcome === "removed") return "good";
  if (line.outcome === "found") return "working";
  return standing([line]).length > 0 ? "failed" : "neutral";
}

const column = columnsOf<LeftoverLine>();

const columns = [
  column.name("what", "Leftover", ({ what }) => what, { width: "min(360px, 30vw)" }),
  column.cell(
    "outcome",
    "Outcome",
    (line) => (
      <span className="marked-text">
        <Mark tone={toneOf(line)} live={false} label="" />
        <span className="cut">{words[line.outcome]}</span>
      </span>
    ),
    { width: 200, spaced: true, narrow: "bottom-start" },
  ),
  column.cell(
    "message",
    "Answer",
    ({ message, accepted }) => (
      <>
        {message}
        {accepted === null ? null : (
          <>
            {message === null ? "" : ". "}
            Accepted by {accepted.by}: {accepted.reason}
          </>
        )}
      </>
    ),
    { narrow: "line", className: "text-soft" },
  ),
];

export function LeftoversTable({ leftovers }: { leftovers: readonly LeftoverLine[] }) {
  return (
    <DataTable
      caption="Leftovers"
      columns={columns}
      rows={leftovers}
      rowId={({ key }) => key}
      empty={
        <Empty title="No leftovers listed">
          They are listed once every drive is erased and proven, then removed one by one.
        </Empty>
      }
    />
  );
}
