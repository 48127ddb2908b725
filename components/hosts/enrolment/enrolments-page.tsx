"use client";
// Enrolments, newest first.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { EnrolmentHead } from "@/server/surfaces/trpc/types";
import { EnrolLink } from "@/components/hosts/enrolment/enrol-link";
import { goalLabels } from "@/components/hosts/enrolment/enrolment-text";

const column = columnsOf<EnrolmentHead>();

const columns = [
  column.cell(
    "at",
    "Enrolled",
    ({ id, at }) => (
      <Link className="link" href={routes.enrolments.one(id)} prefetch={false}>
        <Time at={at} />
      </Link>
    ),
    { width: 200, narrow: "top-start", rowHeader: true },
  ),
  column.count("hosts", "Lines", ({ lines }) => lines, { width: 96, narrow: "top-end" }),
  column.text("site", "Site", ({ site }) => site, { width: 120, spaced: true }),
  column.cell("goal", "Goal", ({ goal }) => goalLabels[goal], { width: 160 }),
  column.text("by", "By", ({ byName }) => byName, { width: 200, narrow: "line" }),
  column.text("file", "File", ({ fileName }) => fileName, { from: "medium", className: "text-soft" }),
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
      <ResourceTable
        name="enrolments"
        noun="enrolment"
        caption="Enrolments"
        columns={columns}
        list={allRows(data)}
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
