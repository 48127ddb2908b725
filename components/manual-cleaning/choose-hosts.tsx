"use client";
// A manual cleaning without hosts yet: finds one by name, or all that a filter finds.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { manualHref, type CleanTarget } from "@/components/manual-cleaning/manual-view";
import { Field, TextInput } from "@/components/ui/form/controls";
import { formatCounted } from "@/components/ui/format/numbers";

const mostShown = 8;

/** The page without hosts: where to choose them. */
export function ChooseHosts({ runbook }: { runbook: RunbookLine | null }) {
  const [text, setText] = useState("");
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
        <Field label="Host name or filter">
          {(aria) => <TextInput aria={aria} data-filter="" value={text} onChange={setText} />}
        </Field>
        <HostsFound text={text.trim()} runbookId={runbook?.id ?? null} />
      </div>
    </>
  );
}

/** Each leads to the builder; below them all that the filter finds, together. */
function HostsFound({ text, runbookId }: { text: string; runbookId: string | null }) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.hosts.list.queryOptions({ filter: text, sort: "name", descending: false, limit: mostShown }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  const found = text === "" ? undefined : data;
  const total = found?.total ?? 0;
  const href = (target: CleanTarget) => manualHref({ target, runbookId });
  return (
    <>
      {found?.problem == null ? null : (
        <p className="tone" data-tone="failed">
          {found.problem.message}
        </p>
      )}
      <ul className="after" aria-label="Hosts found">
        {found?.rows.map((row) => (
          <li key={row.hostId}>
            <Link className="link" href={href({ kind: "one", host: row.name })}>
              {row.name}
            </Link>{" "}
            <span className="text-quiet">{row.state.replaceAll("/", " / ")}</span>
          </li>
        ))}
        {total > 1 ? (
          <li>
            <Link className="link" href={href({ kind: "filter", filter: text })}>
              All {formatCounted(total, "host")} of this filter
            </Link>
          </li>
        ) : null}
        {found?.problem === null && found.rows.length === 0 ? (
          <li className="text-quiet">No host matches.</li>
        ) : null}
      </ul>
    </>
  );
}
