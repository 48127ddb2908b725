"use client";
// Records that await sign-off: those this user may sign, and those another person must sign.
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import type { ApprovalLine } from "@/server/surfaces/trpc/types";

const column = columnsOf<ApprovalLine>();

const columns = [
  column.opener("subject", "Procedure", ({ subjectId, subject }) => ({ id: subjectId, words: subject }), {
    width: 230,
    title: ({ subject }) => subject,
  }),
  column.cell("host", "Host", ({ host }) => host?.name ?? "gone", {
    width: 150,
    narrow: "line",
    title: ({ host }) => host?.name ?? null,
    sort: ({ host }) => host?.name ?? null,
  }),
  column.cell(
    "by",
    "Recorded by",
    ({ own, askedBy }) =>
      own ? (
        <>
          you<span className="text-quiet">; another person signs</span>
        </>
      ) : (
        askedBy
      ),
    { narrow: "line", title: ({ askedBy }) => askedBy, sort: ({ own, askedBy }) => (own ? "you" : askedBy) },
  ),
  column.age("waits", "Waiting", ({ askedAt }) => askedAt, { width: 90, narrow: "bottom-start" }),
];

/** Row id: the record. */
export const recordOf = ({ subjectId }: ApprovalLine): string => subjectId;

interface SignOffTableProps {
  readonly list: ResourceList<ApprovalLine>;
  readonly open: string | null;
  readonly onToggle: (recordId: string) => void;
}

export const SignOffTable = (listed: SignOffTableProps) => (
  <ResourceTable
    {...listed}
    name="sign-off"
    noun="record"
    caption="Awaiting sign-off"
    columns={columns}
    rowId={recordOf}
    namesOf={({ host }) => [host?.name ?? null]}
    empty={
      <Empty title="Nothing to sign off">
        A recorded procedure waits here until another person signs it off.
      </Empty>
    }
  />
);
