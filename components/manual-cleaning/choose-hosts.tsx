"use client";
// A manual cleaning without hosts yet: finds one by name, or all that a filter finds.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { manualHref, type CleanTarget } from "@/components/manual-cleaning/manual-view";
import { formatCounted } from "@/components/ui/format/numbers";

/** The page without hosts: where to choose them. */
export function ChooseHosts({ runbook }: { runbook: RunbookLine | null }) {
  const trpc = useTRPC();
  const [text, setText] = useState("");
  const href = (target: CleanTarget) => manualHref({ target, runbookId: runbook?.id ?? null });
  const found = useQuery({
    ...trpc.hosts.list.queryOptions({ filter: text.trim(), sort: "name", descending: false, limit: 8 }),
    enabled: text.trim() !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <CleaningHead
        what={
          runbook === null
            ? "a list of steps, run manually"
            : `runbook ${runbook.name}, for hosts with ${runbook.traits.join(", ")}`
        }
      />
      <div className="empty">
        <b>Select hosts</b>
        <p>
          Manual cleaning runs on hosts that are Manageable or whose cleaning failed. Find a host here, or
          select several on the Hosts page and choose Clean.
        </p>
        <div className="field">
          <label htmlFor="find-host">Host name or filter</label>
          <div className="input">
            <input
              id="find-host"
              data-filter=""
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        </div>
        {found.data?.problem == null ? null : (
          <p className="tone" data-tone="failed">
            {found.data.problem.message}
          </p>
        )}
        <ul className="after" aria-label="Hosts found">
          {found.data?.rows.map((row) => (
            <li key={row.hostId}>
              <Link className="link" href={href({ kind: "one", host: row.name })}>
                {row.name}
              </Link>{" "}
              <span className="text-quiet">{row.state.replaceAll("/", " / ")}</span>
            </li>
          ))}
          {found.data !== undefined && (found.data.total ?? 0) > 1 ? (
            <li>
              <Link className="link" href={href({ kind: "filter", filter: text.trim() })}>
                All {formatCounted(found.data.total ?? 0, "host")} of this filter
              </Link>
            </li>
          ) : null}
          {found.data !== undefined && found.data.problem === null && found.data.rows.length === 0 ? (
            <li className="text-quiet">No host matches.</li>
          ) : null}
        </ul>
      </div>
    </>
  );
}
