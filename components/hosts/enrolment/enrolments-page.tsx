"use client";
// Enrolments, newest first.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCount } from "@/components/ui/format/numbers";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { EnrolmentHead } from "@/server/surfaces/trpc/types";
import { EnrolLink } from "@/components/hosts/enrolment/enrol-link";
import { goalLabels } from "@/components/hosts/enrolment/enrolment-text";

const columns: readonly TableColumn<EnrolmentHead>[] = [
  {
    id: "at",
    label: "Enrolled",
    width: 200,
    narrow: "top-start",
    rowHeader: true,
    cell: ({ id, at }) => (
      <Link className="link" href={routes.enrolments.one(id)} prefetch={false}>
        <Time at={at} />
      </Link>
    ),
  },
  {
    id: "hosts",
    label: "Lines",
    width: 96,
    align: "end",
    narrow: "top-end",
    cell: ({ lines }) => formatCount(lines),
  },
  { id: "site", label: "Site", width: 120, spaced: true, cell: ({ site }) => site },
  { id: "goal", label: "Goal", width: 160, cell: ({ goal }) => goalLabels[goal] },
  { id: "by", label: "By", width: 200, narrow: "line", cell: ({ byName }) => byName },
  { id: "file", label: "File", from: "medium", className: "text-soft", cell: ({ fileName }) => fileName },
];

export function EnrolmentsPage() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.enrolment.list.queryOptions());
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Enrolments</h1>
        <div className="acts">
          <EnrolLink />
        </div>
      </div>
      <DataTable
        caption="Enrolments"
        fullWidth
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        empty={
          <Empty title="No enrolment yet" act={<EnrolLink />}>
            Hosts that were enrolled together appear here, with the progress of each.
          </Empty>
        }
      />
    </>
  );
}
