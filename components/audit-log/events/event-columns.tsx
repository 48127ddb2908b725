// Columns of an audit event table.
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import type { AuditLine } from "@/server/surfaces/trpc/types";

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

export const eventColumns: readonly TableColumn<AuditLine>[] = [
  {
    id: "seq",
    label: "Number",
    width: 88,
    from: "medium",
    className: "mono text-quiet",
    cell: ({ seq }) => (seq === null ? "pending" : String(seq)),
  },
  {
    id: "at",
    label: "Time",
    width: proofTimeWidth,
    narrow: "top-end",
    cell: ({ at }) => <ProofTime at={at} />,
  },
  {
    id: "action",
    label: "Action",
    width: 208,
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    title: ({ action }) => action,
    // A click here counts as a click on the row and opens the event. The button makes that work with Tab, Enter and screen readers.
    cell: ({ action }) => (
      <button type="button" className="row-button">
        {action}
      </button>
    ),
  },
  {
    id: "outcome",
    label: "Outcome",
    width: 104,
    narrow: "bottom-end",
    cell: ({ outcome }) => <StateLabel tone={outcomeTone(outcome)} path={outcome} live={false} />,
  },
  {
    id: "actor",
    label: "By",
    width: 180,
    narrow: "bottom-start",
    title: formatActor,
    cell: formatActor,
  },
  { id: "target", label: "Target", narrow: "line", title: formatTarget, cell: formatTarget },
  {
    id: "address",
    label: "Address",
    width: 132,
    from: "widest",
    className: "mono text-quiet",
    cell: ({ address }) => address ?? "",
  },
];

/** With the side panel open: the panel shows the rest, which leaves room for the target. */
export const eventColumnsBesidePanel = eventColumns.filter(({ id }) => id !== "seq" && id !== "actor");
