"use client";
// The tab with every reclamation of the host and every state that it was in.
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { Button } from "@/components/ui/button";
import { clockWords } from "@/components/ui/format/duration";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { StateLabel } from "@/components/ui/state-label";
import { Running, Time } from "@/components/ui/time/time";
import type { HistoryLine, HostDetail, HostHistory, ReclamationHead } from "@/server/surfaces/trpc/types";
import { reclamationKindLabel } from "@/components/reclamations/reclamation-labels";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 1500;

export function HistoryTab({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const history = useSuspenseQuery(trpc.host.history.queryOptions({ hostId: host.id }));
  const [older, setOlder] = useState<readonly HostHistory[]>([]);
  useLiveRefresh(history.refetch, { hostId: host.id, everyMs: refreshMs });
  const { reclamations } = history.data;
  const states = joinStates([history.data, ...older]);
  const before = (older.at(-1) ?? history.data).nextBefore;
  const more = useMutation({
    mutationFn: (from: string) => client.host.history.query({ hostId: host.id, before: from }),
    onSuccess: (page) => setOlder((pages) => [...pages, page]),
  });
  return (
    <>
      <div className="sec">
        <h2>Reclamations</h2>
        <span className="sum cut">
          {reclamations.length === 1 ? "1 reclamation" : `${reclamations.length} reclamations`}, newest first
        </span>
      </div>
      {reclamations.length === 0 ? (
        <Empty title="No reclamations yet">
          Each release, onboarding and recheck of this host is listed here with its outcome.
        </Empty>
      ) : (
        <Reclamations host={host} reclamations={reclamations} />
      )}
      <div className="sec">
        <h2>States</h2>
        <span className="sum cut">every state in order, newest first; versions have no gap</span>
      </div>
      <States states={states} />
      {more.isError ? <ProblemNotice error={more.error} before="Older states could not be read." /> : null}
      {before === null ? null : (
        <p className="after">
          <Button onClick={() => more.mutate(before)} busy={more.isPending}>
            Show older states
          </Button>
        </p>
      )}
    </>
  );
}

/** Pages overlap when states were added since the first was read: each version once. */
function joinStates(pages: readonly HostHistory[]): readonly HistoryLine[] {
  const byVersion = new Map(pages.flatMap((page) => page.states).map((line) => [line.version, line]));
  return [...byVersion.values()].sort((a, b) => Number(BigInt(b.version) - BigInt(a.version)));
}

/** How an outcome looks; a reclamation in progress has none yet. */
function outcomeOf({ endedAt, outcome, stoppedCause }: ReclamationHead): {
  tone: "good" | "working" | "failed" | "neutral";
  words: string;
} {
  if (outcome === "ready") return { tone: "good", words: "ready" };
  if (endedAt !== null) return { tone: "neutral", words: outcome ?? "ended" };
  return stoppedCause === null
    ? { tone: "working", words: "goes on" }
    : { tone: "failed", words: `stopped: ${stoppedCause}` };
}

function Reclamations({
  host,
  reclamations,
}: {
  host: HostDetail;
  reclamations: readonly ReclamationHead[];
}) {
  return (
    <table className="t" aria-label="Reclamations">
      <thead>
        <tr>
          <th scope="col">Reclamation</th>
          <th scope="col">Kind</th>
          <th scope="col" className="wide-name">
            Outcome
          </th>
          <th scope="col">Tenant</th>
          <th scope="col" className="r">
            Began
          </th>
          <th scope="col" className="r">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {reclamations.map((reclamation) => {
          const { tone, words } = outcomeOf(reclamation);
          return (
            <tr key={reclamation.id}>
              <td data-m="a">
                <Link className="mono b" href={routes.host(host.name, { reclamation: reclamation.id })}>
                  {reclamation.number}
                </Link>
              </td>
              <td>{reclamationKindLabel(reclamation.kind)}</td>
              <td data-m="c" title={reclamation.message ?? undefined}>
                <span className="st">
                  <Mark tone={tone} live={tone === "working"} label="" />
                  <span className="cut">{words}</span>
                </span>
              </td>
              <td className="n10">{reclamation.tenantName ?? "–"}</td>
              <td className="r n10" data-m="d">
                <Time at={reclamation.startedAt} />
              </td>
              <td className="r" data-m="b">
                {reclamation.endedAt === null ? (
                  <Running from={reclamation.startedAt} />
                ) : (
                  clockWords(reclamation.endedAt.getTime() - reclamation.startedAt.getTime())
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function States({ states }: { states: readonly HistoryLine[] }) {
  return (
    <table className="t states" aria-label="States">
      <colgroup>
        <col className="col-version" />
        <col className="col-state" />
        <col className="col-at" />
        <col className="col-took" />
        <col className="col-reclamation" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className="r">
            Version
          </th>
          <th scope="col" className="tail">
            State
          </th>
          <th scope="col" className="r">
            At
          </th>
          <th scope="col" className="r">
            Took
          </th>
          <th scope="col" className="tail">
            Reclamation
          </th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {states.map((line) => (
          <tr key={line.version}>
            <td className="r n10 mono">{line.version}</td>
            <td data-m="a" className="tail">
              <StateLabel
                tone={line.tone}
                path={line.state}
                live={line.tookMs === null && line.tone === "working"}
              />
            </td>
            <td className="r n10" data-m="d">
              <Time at={line.at} />
            </td>
            <td className="r" data-m="b">
              {line.tookMs === null ? <Running from={line.at} /> : clockWords(line.tookMs)}
            </td>
            <td className="n10 mono tail">{line.reclamationNumber ?? ""}</td>
            <td className="n10" data-m="c" title={line.reason ?? undefined}>
              {line.reason}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
