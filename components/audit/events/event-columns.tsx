// The columns of a table of events of the audit log.
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { Time } from "@/components/ui/time/time";
import type { AuditLine } from "@/server/surfaces/trpc/types";

/** Who did it, in one word or name. */
export const actorWords = ({ actorName, actorKind }: Pick<AuditLine, "actorName" | "actorKind">): string =>
  actorName ?? actorKind;

/** What it was done to, by name where it has one. */
export const targetWords = ({
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
  { id: "at", label: "Time", width: 148, narrow: "top-end", cell: ({ at }) => <Time at={at} /> },
  {
    id: "action",
    label: "Action",
    width: 208,
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    title: ({ action }) => action,
    // A click on it is one on its row, which opens the event: by Tab and Enter, and for screen readers.
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
    title: actorWords,
    cell: actorWords,
  },
  { id: "target", label: "Target", narrow: "line", title: targetWords, cell: targetWords },
  {
    id: "address",
    label: "Address",
    width: 132,
    from: "widest",
    className: "mono text-quiet",
    cell: ({ address }) => address ?? "",
  },
];

/** Beside the panel of one, which says the rest: the target keeps its room. */
export const eventColumnsBesidePanel = eventColumns.filter(({ id }) => id !== "seq" && id !== "actor");
