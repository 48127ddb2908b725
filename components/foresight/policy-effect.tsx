"use client";
// The effect of a changed site policy before it is saved: one query and one view for every form that edits a policy (docs/adr/0053-policy-foresight.md).
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
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

/** A debounced text. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface PolicyEffectProps {
  /** What is about to be saved; undefined if the form holds nothing that could be. */
  readonly question: PolicyQuestion | undefined;
}

export function PolicyEffect({ question }: PolicyEffectProps) {
  return question === undefined ? null : <Asked question={question} />;
}

function Asked({ question }: { readonly question: PolicyQuestion }) {
  const trpc = useTRPC();
  const text = JSON.stringify(question);
  const settled = useSettled(text) === text;
  const { data, error, isFetching } = useQuery({
    ...trpc.policy.preview.queryOptions(question),
    enabled: settled,
    gcTime: 0,
  });
  return (
    <section aria-label="What would change">
      {error !== null ? (
        <Notice tone="failed">The effect could not be calculated. {problemOf(error).words}</Notice>
      ) : data === undefined || isFetching || !settled ? (
        <p role="status">Calculating the effect…</p>
      ) : (
        <Told told={data} />
      )}
    </section>
  );
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
