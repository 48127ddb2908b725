// Columns of an audit event table.
import { StateLabel } from "@/components/ui/state-label";
import type { AuditLine } from "@/server/surfaces/trpc/types";
import { columnsOf } from "@/components/ui/table/column";

/** Who did it: a name, or the kind of actor. */
export const formatActor = ({ actorName, actorKind }: Pick<AuditLine, "actorName" | "actorKind">): string =>
  actorName ?? actorKind;

/** What it was done to, by name if it has one. */
export const formatTarget = ({
  targetName,
  targetId,
  targetKind,
}: Pick<AuditLine, "targetName" | "targetId" | "targetKind">): string =>
  targetName ?? targetId ?? targetKind ?? "";

export const outcomeTone = (outcome: string) =>
  outcome === "done" ? ("good" as const) : ("failed" as const);

const column = columnsOf<AuditLine>();

export const eventColumns = [
  column.cell("seq", "Number", ({ seq }) => (seq === null ? "pending" : String(seq)), {
    width: 88,
    from: "medium",
    className: "mono text-quiet",
  }),
  column.proofTime("at", "Time", ({ at }) => at, { narrow: "top-end" }),
  column.cell(
    "action",
    "Action",
    ({ action }) => (
      <button type="button" className="row-button">
        {action}
      </button>
    ),
    { width: 208, narrow: "top-start", rowHeader: true, className: "mono", title: ({ action }) => action },
  ),
  column.cell(
    "outcome",
    "Outcome",
    ({ outcome }) => <StateLabel tone={outcomeTone(outcome)} path={outcome} live={false} />,
    { width: 104, narrow: "bottom-end" },
  ),
  column.text("actor", "By", formatActor, { width: 180, narrow: "bottom-start" }),
  column.text("target", "Target", formatTarget, { narrow: "line" }),
  column.text("address", "Address", ({ address }) => address, {
    width: 132,
    from: "widest",
    className: "mono text-quiet",
    none: "",
  }),
];

/** With the side panel open: the panel shows the rest, which leaves room for the target. */
export const eventColumnsBesidePanel = eventColumns.filter(({ id }) => id !== "seq" && id !== "actor");
