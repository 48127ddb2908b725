"use client";
// The effect of a changed site policy before it is saved: one query and one view for every form that edits a policy (docs/adr/0053-policy-foresight.md).
import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { EraseForesight } from "@/components/foresight/erase-foresight";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { effectLabels } from "@/server/domain/cleaning/foresight/effect";
import type { PolicyForesight, PolicyQuestion } from "@/server/surfaces/trpc/types";

type Effect = PolicyForesight["effects"][number];

/** Debounce: no request while the user is typing. */
const typingMs = 500;

/** A debounced text; the first one that is not empty counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settled === "" ? 0 : typingMs);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}

export interface PolicyEffect {
  /** For the form, above its button. */
  readonly effect: ReactNode;
  /**
   * Why the form cannot be sent yet. Otherwise somebody could confirm before the effect is shown, or miss the button, which the effect moves when it
   * arrives. Undefined once it is shown, and if it cannot be calculated: a policy may have to be changed even then.
   */
  readonly calculating: string | undefined;
}

const calculating = "Calculating the effect…";

/** What a form shows of an effect while a query for it runs, is held back, has failed, or (with `content`) is answered. */
export function effectOf(
  { error, isPaused }: { readonly error: unknown; readonly isPaused: boolean },
  content: ReactNode | undefined,
): PolicyEffect {
  const shown = (inner: ReactNode): ReactNode => <section aria-label="What would change">{inner}</section>;
  if (error !== null) {
    const words = `The effect could not be calculated. ${problemOf(error).words}`;
    return { effect: shown(<Notice tone="failed">{words}</Notice>), calculating: undefined };
  }
  if (isPaused) {
    const words = "You are offline. The effect is calculated when the connection is back.";
    return { effect: shown(<Notice tone="attention">{words}</Notice>), calculating: undefined };
  }
  return content === undefined
    ? { effect: shown(<p role="status">{calculating}</p>), calculating }
    : { effect: shown(content), calculating: undefined };
}

/** @param question what is about to be saved; undefined if the form holds nothing that could be */
export function usePolicyEffect(question: PolicyQuestion | undefined): PolicyEffect {
  const trpc = useTRPC();
  const text = question === undefined ? "" : JSON.stringify(question);
  const settled = useSettled(text) === text;
  const query = useQuery({
    ...trpc.policy.preview.queryOptions(question ?? skipToken),
    enabled: settled && question !== undefined,
    gcTime: 0,
  });
  const { data, isFetching } = query;
  if (question === undefined) return { effect: null, calculating: undefined };
  return effectOf(query, data === undefined || isFetching || !settled ? undefined : <Told told={data} />);
}

function Told({ told }: { readonly told: PolicyForesight }) {
  const { effects, erase, since, reclamations } = told;
  return (
    <>
      {effects.length === 0 ? (
        erase ? null : (
          <p className="text-quiet">No setting that affects reclamations would change.</p>
        )
      ) : (
        <>
          <p>
            Compared with {formatCounted(reclamations.total, "reclamation")} since <Time at={since} />. Where
            the records do not show an effect, it is listed as unknown, not as no change.
          </p>
          <DataTable
            caption="Effect on recorded reclamations"
            columns={columns}
            rows={effects}
            rowId={({ setting }) => setting}
          />
        </>
      )}
      {erase ? <EraseForesight told={told} /> : null}
    </>
  );
}

const columns: readonly TableColumn<Effect>[] = [
  {
    id: "setting",
    label: "Setting",
    width: "30%",
    narrow: "top-start",
    rowHeader: true,
    className: "wrapping",
    cell: ({ setting }) => setting,
  },
  {
    id: "effect",
    label: "Effect",
    width: 104,
    narrow: "top-end",
    cell: ({ kind }) => effectLabels[kind],
  },
  {
    id: "why",
    label: "Why",
    narrow: "line",
    className: "text-quiet wrapping",
    cell: ({ words }) => words,
  },
];
