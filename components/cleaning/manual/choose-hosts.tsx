"use client";
// The first step of a manual cleaning: lists the hosts that can be cleaned, and why the others cannot.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { manualHref, type CleanTarget } from "@/components/cleaning/manual/manual-view";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Field, TextInput } from "@/components/ui/form/controls";
import { formatCounted } from "@/server/domain/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import type { CleaningCandidates, RunbookLine } from "@/server/surfaces/trpc/types";

/** Shown while the URL names no hosts. */
export function ChooseHosts({ runbook }: { runbook: RunbookLine | null }) {
  const [text, setText] = useState("");
  const router = useRouter();
  const filter = text.trim();
  const candidates = useCandidates(filter, runbook?.id);
  const href = (target: CleanTarget) => manualHref({ target, runbookId: runbook?.id ?? null });
  /** Picks the host whose name was typed, or the only remaining candidate. */
  const chooseTyped = () => {
    const can = candidates.data?.can ?? [];
    const named = can.find(({ name }) => name === filter) ?? (can.length === 1 ? can[0] : undefined);
    if (named !== undefined) router.push(href({ kind: "one", host: named.name }));
  };
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
          Manual cleaning runs on hosts that are Manageable or whose cleaning failed
          {runbook === null ? "" : " and that share a trait with the runbook"}. Choose one here, or select
          several on the Hosts page and choose Clean.
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            chooseTyped();
          }}
        >
          <Field label="Host name or filter" hint="Press Enter to choose the named host.">
            {(aria) => <TextInput aria={aria} data-filter="" value={text} onChange={setText} />}
          </Field>
        </form>
        <Candidates {...candidates} filter={filter} href={href} />
      </div>
    </>
  );
}

function useCandidates(filter: string, runbookId: string | undefined) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...trpc.cleaning.candidates.queryOptions({
      filter,
      ...(runbookId === undefined ? {} : { runbookId }),
    }),
    placeholderData: keepPreviousData,
  });
  return { data, error, onRetry: () => void refetch() };
}

interface CandidatesProps {
  data: CleaningCandidates | undefined;
  error: unknown;
  onRetry: () => void;
  filter: string;
  href: (target: CleanTarget) => string;
}

/** Each candidate links to the builder; then all hosts the filter matches, together; then the others with their reasons. */
function Candidates({ data, error, onRetry, filter, href }: CandidatesProps) {
  if (error !== null)
    return <ProblemNotice error={error} before="The hosts could not be read." onRetry={onRetry} />;
  if (data === undefined) return <Skeleton rows={4} />;
  const { can, cannot, total, problem } = data;
  if (problem !== null)
    return (
      <p className="tone" data-tone="failed">
        {problem.message}
      </p>
    );
  return (
    <>
      {can.length === 0 ? <p className="after">{noneText(filter, total)}</p> : null}
      <ul className="after" aria-label="Hosts that can be cleaned">
        {can.map(({ hostId, name, state }) => (
          <li key={hostId}>
            <Link className="link" href={href({ kind: "one", host: name })}>
              {name}
            </Link>{" "}
            <span className="text-quiet">{state.replaceAll("/", " / ")}</span>
          </li>
        ))}
        {filter !== "" && can.length > 0 && total > 1 ? (
          <li>
            <Link className="link" href={href({ kind: "filter", filter })}>
              All {formatCounted(total, "host")} of this filter
            </Link>{" "}
            <span className="text-quiet">the preview shows which hosts qualify</span>
          </li>
        ) : null}
      </ul>
      {filter === "" || cannot.length === 0 ? null : (
        <>
          <p className="after">Cannot be cleaned manually:</p>
          <ul aria-label="Hosts that cannot be cleaned">
            {cannot.map(({ hostId, name, reason }) => (
              <li key={hostId}>
                {name}: <span className="text-quiet">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function noneText(filter: string, total: number): string {
  if (filter === "")
    return "No host can be cleaned manually now. Move one to Manageable with Manage on its page.";
  return total === 0 ? "No host matches." : "None of the hosts of this filter can be cleaned manually.";
}
