"use client";
// Runbooks: named lists of steps, each locked to hardware by its traits.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { Age } from "@/components/ui/time/time";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { formatSteps } from "@/components/cleaning/runbooks/runbook-text";
import { routes } from "@/server/domain/console/routes";

export function RunbooksPage() {
  const trpc = useTRPC();
  const { data: runbooks } = useSuspenseQuery(trpc.cleaning.runbooks.queryOptions());
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const create = scopes.mayWriteRunbooks ? (
    <Link className="btn" href={routes.cleaning.newRunbook()}>
      New runbook…
    </Link>
  ) : undefined;
  return (
    <>
      <CleaningHead what={formatCounted(runbooks.length, "runbook")} acts={create} />
      <ResourceTable
        name="runbooks"
        noun="runbook"
        caption="Runbooks"
        columns={columns}
        list={allRows(runbooks)}
        rowId={({ id }) => id}
        empty={
          <Empty title="No runbooks yet" act={create}>
            A runbook is a named list of steps, with the traits of the hosts it is for. Run it from here, or
            open it in a manual cleaning.
          </Empty>
        }
      />
    </>
  );
}

const column = columnsOf<RunbookLine>();

const columns: readonly TableColumn<RunbookLine>[] = [
  column.cell(
    "name",
    "Runbook",
    ({ id, name, description }) => (
      <Link className="text-medium" href={routes.cleaning.runbook(id)} title={description}>
        {name}
      </Link>
    ),
    { width: 220, narrow: "top-start", rowHeader: true, sort: ({ name }) => name },
  ),
  column.cell(
    "steps",
    "Steps",
    ({ steps, erases }) => (
      <span className="marked-text">
        {erases ? <Mark tone="attention" label="erases" /> : null}
        <span className="cut">{formatSteps(steps)}</span>
      </span>
    ),
    {
      narrow: "bottom-start",
      title: ({ steps }) => steps.map((step) => `${step.interface}.${step.step}`).join(", "),
    },
  ),
  column.text("traits", "For hosts with", ({ traits }) => traits.join(", "), {
    width: 220,
    from: "medium",
    className: "mono",
  }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 72, narrow: "top-end" }),
  column.cell(
    "changed",
    "Changed",
    ({ updatedAt, updatedByName }) => (
      <>
        <Age at={updatedAt} /> ago
        {updatedByName === null ? "" : ` by ${updatedByName}`}
      </>
    ),
    {
      width: 220,
      from: "wide",
      spaced: true,
      className: "text-quiet",
      firstOrder: "descending",
      sort: ({ updatedAt }) => updatedAt,
    },
  ),
];
