"use client";
// The effect of a changed site policy before it is saved: one query and one view for the forms that edit a policy (docs/adr/0053-policy-foresight.md).
import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { effectOf, noEffect, type ShownEffect } from "@/components/cleaning/policy/effect";
import { EraseEffect } from "@/components/cleaning/policy/erase-effect";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/server/domain/numbers";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { effectLabels } from "@/server/domain/cleaning/policy/effect";
import type { PolicyEffects, PolicyQuestion } from "@/server/surfaces/trpc/types";

type Effect = PolicyEffects["effects"][number];

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

/** @param question what is about to be saved; undefined if the form holds nothing that could be */
export function usePolicyEffect(question: PolicyQuestion | undefined): ShownEffect {
  const trpc = useTRPC();
  const text = question === undefined ? "" : JSON.stringify(question);
  const settled = useSettled(text) === text;
  const query = useQuery({
    ...trpc.policy.preview.queryOptions(question ?? skipToken),
    enabled: settled && question !== undefined,
    gcTime: 0,
  });
  const { data, isFetching } = query;
  if (question === undefined) return noEffect;
  return effectOf(query, data === undefined || isFetching || !settled ? undefined : <Told told={data} />);
}

function Told({ told }: { readonly told: PolicyEffects }) {
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
      {erase ? <EraseEffect told={told} /> : null}
    </>
  );
}

const column = columnsOf<Effect>();

const columns = [
  column.name("setting", "Setting", ({ setting }) => setting, { width: "30%", className: "wrapping" }),
  column.cell("effect", "Effect", ({ kind }) => effectLabels[kind], { width: 104, narrow: "top-end" }),
  column.text("why", "Why", ({ words }) => words, { narrow: "line", className: "text-quiet wrapping" }),
];
