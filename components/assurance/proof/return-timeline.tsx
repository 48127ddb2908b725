"use client";
// The timeline of a return, a machine, a drive or a tenant, page by page.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { timelineQuery } from "@/components/assurance/proof/proof-query";
import { FullTime } from "@/components/assurance/proof/return-cells";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { Skeleton } from "@/components/ui/skeleton";
import type { ProofReturn } from "@/server/surfaces/trpc/types";

type Subject = "return" | "host" | "tenant" | "drive";

const subjectText = {
  return: "This return",
  host: "This machine",
  tenant: "This tenant",
} as const satisfies Record<Exclude<Subject, "drive">, string>;

const firstEntries = 20;

export function ReturnTimeline({
  found,
  isTenant,
}: {
  readonly found: ProofReturn;
  readonly isTenant: boolean;
}) {
  const [of, setOf] = useState<Subject>("return");
  const [drive, setDrive] = useState("");
  const drives = found.drives.flatMap(({ id, serial }) => (id === null ? [] : { value: id, words: serial }));
  const ids = { return: found.id, host: found.host.id, tenant: found.tenant?.id } as const;
  const subjects = (["return", "host", "tenant"] as const).filter(
    (subject) => ids[subject] !== undefined && !(isTenant && subject === "host"),
  );
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      <div className="proof-acts" role="group" aria-label="Timeline of">
        {subjects.map((subject) => (
          <Button
            key={subject}
            small
            kind={subject === of ? "ordinary" : "plain"}
            aria-pressed={subject === of}
            onClick={() => setOf(subject)}
          >
            {subjectText[subject]}
          </Button>
        ))}
        {drives.length === 0 ? null : (
          <Menu
            align="start"
            trigger={
              <Button small kind={of === "drive" ? "ordinary" : "plain"}>
                {of === "drive"
                  ? `Drive ${drives.find(({ value }) => value === drive)?.words ?? ""}`
                  : "A drive…"}
              </Button>
            }
          >
            <MenuChoice
              label="Timeline of a drive"
              value={of === "drive" ? drive : ""}
              choices={drives}
              onChoose={(id) => {
                setDrive(id);
                setOf("drive");
              }}
            />
          </Menu>
        )}
      </div>
      {of === "drive" ? (
        <Entries key={drive} of={of} id={drive} />
      ) : (
        <Entries key={of} of={of} id={ids[of] ?? found.id} />
      )}
    </section>
  );
}

function Entries({ of, id }: { readonly of: Subject; readonly id: string }) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(timelineQuery(trpc, { of, id, limit: firstEntries }));
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  if (list.isPending) return <Skeleton rows={4} />;
  if (list.isError)
    return (
      <ProblemNotice
        error={list.error}
        before="The timeline could not be read."
        onRetry={() => void list.refetch()}
      />
    );
  if (rows.length === 0) return <p className="text-quiet">Nothing is on record.</p>;
  return (
    <>
      <ol className="proof-timeline">
        {rows.map(({ id: entry, at, words, who, host }) => (
          <li key={entry}>
            <FullTime at={at} />
            <span>
              {words}
              {who === null ? null : <span className="text-quiet"> {who}</span>}
              {host === null ? null : <span className="text-quiet"> on {host}</span>}
            </span>
          </li>
        ))}
      </ol>
      {list.hasNextPage ? (
        <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show earlier entries
        </Button>
      ) : null}
    </>
  );
}
