"use client";
// What may be done with the selected hosts: how many can, who cannot and why, and a result per host.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import type { HostActResult } from "@/server/surfaces/trpc/types";
import { bulkActs, type BulkAct } from "./bulk-acts";

/** Hosts by id, or all that a filter finds, also those not loaded. */
export type BulkTarget = { hostIds: string[] } | { filter: string };

interface BulkBarProps {
  target: BulkTarget;
  count: number;
  /** How many the filter of the page finds; null where nobody counted, or where all of them are chosen. */
  all: number | null;
  onAll: () => void;
  onClear: () => void;
}

/** Floats over the end of the table while something is selected. */
export function BulkBar({ target, count, all, onAll, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<BulkAct>();
  const [results, setResults] = useState<readonly HostActResult[]>();
  return (
    <>
      <div className="bulk" role="toolbar" aria-label="Selected hosts">
        <b className="b">
          {count.toLocaleString("en")} selected{"filter" in target ? " by filter" : ""}
        </b>
        {all === null ? null : (
          <span className="n10 hide">
            or{" "}
            <button type="button" className="copy" onClick={onAll}>
              all {all.toLocaleString("en")} of this filter
            </button>
          </span>
        )}
        <div className="acts end">
          {bulkActs.map((act) => (
            <BulkButton key={act.intent} act={act} target={target} onAsk={() => setAsked(act)} />
          ))}
          <Button kind="plain" onClick={onClear} aria-label="Clear the selection">
            Clear
          </Button>
        </div>
      </div>
      {asked === undefined ? null : (
        <BulkDialog
          act={asked}
          target={target}
          onClose={() => setAsked(undefined)}
          onDone={(done) => {
            setAsked(undefined);
            if (done.every(({ ok }) => ok)) onClear();
            else setResults(done);
          }}
        />
      )}
      <Dialog open={results !== undefined} onClose={() => setResults(undefined)} title="Not every host took it">
        <ul className="names">
          {(results ?? []).map((result) => (
            <li key={result.hostId} className="st">
              <Mark tone={result.ok ? "good" : "failed"} label={result.ok ? "accepted" : "refused"} />
              <span>
                <b className="b">{result.name}</b> {result.ok ? "accepted" : result.message}
              </span>
            </li>
          ))}
        </ul>
        <div className="acts">
          <Button onClick={() => setResults(undefined)}>Close</Button>
        </div>
      </Dialog>
    </>
  );
}

function usePreview(act: BulkAct, target: BulkTarget) {
  const trpc = useTRPC();
  return useQuery({ ...trpc.hosts.preview.queryOptions({ intent: act.intent, target }), staleTime: 2000, placeholderData: (before) => before });
}

/** "Retry on 2", or off with the reason of the first that cannot. */
function BulkButton({ act, target, onAsk }: { act: BulkAct; target: BulkTarget; onAsk: () => void }) {
  const { data: preview } = usePreview(act, target);
  const can = preview?.can ?? 0;
  const first = preview?.cannot[0];
  const reason = preview === undefined ? "It is being found out who can" : first === undefined ? "None of them can" : `${first.name}: ${first.reason}`;
  return (
    <Button kind={act.intent === "retry" ? "main" : "ordinary"} onClick={onAsk} disabledReason={can > 0 ? undefined : reason}>
      {can > 0 ? `${act.words} on ${can}…` : `${act.words}…`}
    </Button>
  );
}

interface BulkDialogProps {
  act: BulkAct;
  target: BulkTarget;
  onClose: () => void;
  onDone: (results: readonly HostActResult[]) => void;
}

function BulkDialog({ act, target, onClose, onDone }: BulkDialogProps) {
  const trpc = useTRPC();
  const say = useSay();
  const { data: preview } = usePreview(act, target);
  const ask = useMutation(
    trpc.hosts.act.mutationOptions({
      onSuccess: (results) => {
        const accepted = results.filter(({ ok }) => ok).length;
        say(`${act.words}: asked for on ${accepted === 1 ? "1 host" : `${accepted} hosts`}`);
        onDone(results);
      },
    }),
  );
  const can = preview?.can ?? 0;
  const words = `${act.words} on ${can === 1 ? "1 host" : `${can} hosts`}`;
  const problem = ask.error === null ? undefined : problemOf(ask.error);
  const left = (preview?.total ?? 0) - can;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${words}?`}
      consequence={
        <>
          <p>{act.consequence}</p>
          {left === 0 ? null : (
            <>
              <p>{left === 1 ? "One is left out:" : `${left} are left out:`}</p>
              <ul className="names">
                {preview?.cannot.map((host) => (
                  <li key={host.hostId}>
                    <b className="b">{host.name}</b>: {host.reason}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      }
      confirmWords={words}
      cancelWords="Leave them"
      busy={ask.isPending}
      missing={can === 0 ? "None of them can" : undefined}
      onConfirm={() => ask.mutate({ intent: act.intent, target })}
      {...(problem === undefined ? {} : { error: <Notice tone="failed" requestId={problem.requestId}>{problem.words}</Notice> })}
    />
  );
}
