"use client";
// The versions of a procedure, each with its difference from the previous one.
import { useQuery } from "@tanstack/react-query";
import { ChangeTable } from "@/components/assurance/procedures/change-table";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time/time";
import { procedureChanges } from "@/server/domain/assurance/procedures/text";
import type { ProcedureVersion } from "@/server/surfaces/trpc/types";

interface ProcedureVersionsProps {
  readonly siteId: string;
  readonly name: string;
}

export function ProcedureVersions({ siteId, name }: ProcedureVersionsProps) {
  const trpc = useTRPC();
  const { data, error, isPending } = useQuery(trpc.procedures.history.queryOptions({ siteId, name }));
  return (
    <section aria-label="Versions">
      <div className="sec">
        <h2>Versions</h2>
        <span className="sum cut">the newest first; a record names the version that was carried out</span>
      </div>
      {isPending ? <Skeleton rows={3} /> : null}
      {error === null ? null : <ProblemNotice error={error} before="The versions could not be read." />}
      {(data ?? []).map((each, index) => (
        <OneVersion
          key={each.policyVersion}
          version={each}
          before={data?.[index + 1] ?? null}
          open={index === 0}
        />
      ))}
    </section>
  );
}

interface OneVersionProps {
  readonly version: ProcedureVersion;
  /** The previous version; null for the first. */
  readonly before: ProcedureVersion | null;
  readonly open: boolean;
}

function OneVersion({ version: { procedure, policyVersion, at, byName }, before, open }: OneVersionProps) {
  const words = procedure === null ? "Taken out" : `Version ${procedure.version}`;
  return (
    <details className="assurance-record" open={open}>
      <summary>
        {words}, policy {policyVersion}, <Time at={at} />
        {byName === null ? "" : `, ${byName}`}
      </summary>
      {procedure === null ? (
        <p className="text-quiet">The policy no longer names it. Its records stay.</p>
      ) : (
        <ChangeTable
          caption={`Changes of ${words.toLowerCase()}, policy ${policyVersion}`}
          changes={procedureChanges(before?.procedure ?? null, procedure)}
        />
      )}
    </details>
  );
}
