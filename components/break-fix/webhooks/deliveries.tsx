"use client";
// Deliveries of one webhook, newest first, with the last answer to each.
import { useQuery } from "@tanstack/react-query";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import type { DeliveryRow, WebhookRow } from "@/server/surfaces/trpc/types";
import { formatAnswer, deliveryStandingOf } from "@/components/break-fix/webhooks/webhook-text";

const everyMs = 3_000;
/** Number of newest deliveries shown. */
const shown = 50;

const column = columnsOf<DeliveryRow>();

const columns = [
  column.name("kind", "Event", ({ kind }) => kind, { width: 176, className: "mono" }),
  column.time("created", "Happened", ({ createdAt }) => createdAt, { width: 150, narrow: "top-end" }),
  column.cell(
    "state",
    "State",
    (row) => {
      const { tone, words } = deliveryStandingOf(row);
      return <StateLabel tone={tone} path={words} live={false} />;
    },
    { width: 150, narrow: "bottom-start" },
  ),
  column.count("attempts", "Attempts", ({ attempts }) => attempts, { width: 88 }),
  column.cell(
    "answer",
    "Last answer",
    ({ status, error, attemptedAt, attempts }) => {
      if (attemptedAt === null) return <span className="text-quiet">none yet</span>;
      const answer = formatAnswer(status, error);
      return attempts > 1 ? `${answer} After ${attempts} attempts.` : answer;
    },
    { narrow: "line", spaced: true, title: ({ error }) => error },
  ),
  column.time("next", "Next attempt", ({ nextAt }) => nextAt, {
    width: 150,
    align: "end",
    from: "medium",
    className: "text-quiet",
    none: null,
  }),
];

interface DeliveriesProps {
  readonly webhook: WebhookRow;
  readonly onClose: () => void;
}

export function Deliveries({ webhook: { id, name }, onClose }: DeliveriesProps) {
  const trpc = useTRPC();
  const list = useQuery({
    ...trpc.webhooks.deliveries.queryOptions({ id, limit: shown }),
    refetchInterval: everyMs,
  });
  return (
    <section aria-label={`Deliveries of ${name}`}>
      <div className="sec">
        <h2>Deliveries of {name}</h2>
        <span className="sum cut">the newest first</span>
        <span className="end">
          <Button small onClick={onClose}>
            Hide deliveries
          </Button>
        </span>
      </div>
      <DataTable
        caption={`Deliveries of ${name}`}
        columns={columns}
        rows={list.data ?? []}
        rowId={(row) => row.id}
        loading={list.isPending}
        problem={
          list.isError ? (
            <ProblemNotice
              error={list.error}
              before="The deliveries could not be read."
              onRetry={() => void list.refetch()}
            />
          ) : undefined
        }
        empty={<Empty title="No delivery">No events since it was added.</Empty>}
      />
    </section>
  );
}
