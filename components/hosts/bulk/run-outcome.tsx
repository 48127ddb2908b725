"use client";
// The results of a run in one line: "12 done, 1 failed". Each result links to its hosts.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment } from "react";
import { countsOf, statusText } from "@/components/hosts/bulk/run-text";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { routes } from "@/server/domain/console/routes";
import type { BulkProgress } from "@/server/surfaces/trpc/types";

const refreshMs = 3000;

/** The worst result decides the tone. Pure. */
export function toneOfRun({ over, counts }: Pick<BulkProgress, "over" | "counts">): Tone {
  if (counts.failed > 0) return "failed";
  if (counts.refused + counts.refusedLater > 0) return "attention";
  return over ? "good" : "working";
}

/** A query of its own, so that the list of runs does not wait for the results. */
export function RunOutcome({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, isError } = useQuery({
    ...trpc.bulk.progress.queryOptions({ id, limit: 0 }),
    refetchInterval: ({ state }) => (state.data?.over === true ? false : refreshMs),
  });
  if (data === undefined) return <span className="text-quiet">{isError ? "could not be read" : "…"}</span>;
  const tone = toneOfRun(data);
  return (
    <span className="marked-text">
      <Mark tone={tone} label="" live={tone === "working"} />
      <span className="cut">
        {countsOf(data.counts).map(({ status, count }, index) => (
          <Fragment key={status}>
            {index === 0 ? "" : ", "}
            <Link href={routes.cleaning.run(id, { show: status })}>
              {formatCount(count)} {statusText[status]}
            </Link>
          </Fragment>
        ))}
      </span>
    </span>
  );
}
