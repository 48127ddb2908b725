"use client";
// The runbooks: named lists of steps, each locked to hardware by its traits.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Age } from "@/components/ui/time/time";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { stepsWords } from "@/components/runbooks/runbook-words";
import { routes } from "@/server/domain/console/routes";

export function RunbooksPage() {
  const trpc = useTRPC();
  const { data: runbooks } = useSuspenseQuery(trpc.cleaning.runbooks.queryOptions());
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const create = scopes.mayWriteRunbooks ? (
    <Link className="btn" href={routes.cleaning.newRunbook()}>
      New runbook…
    </Link>
  ) : undefined;
  return (
    <>
      <CleaningHead
        what={runbooks.length === 1 ? "1 runbook" : `${runbooks.length} runbooks`}
        acts={create}
      />
      {runbooks.length === 0 ? (
        <Empty title="There is no runbook yet" act={create}>
          A runbook is a list of steps with a name, and with the traits of the hosts that it is for. It is run
          from here, or opened in a manual cleaning.
        </Empty>
      ) : (
        <table className="t wide runbooks" aria-label="Runbooks">
          <colgroup>
            <col className="col-name" />
            <col />
            <col className="col-traits p2" />
            <col className="col-hosts" />
            <col className="col-changed p3" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Runbook</th>
              <th scope="col">Steps</th>
              <th scope="col" className="p2">
                For hosts with
              </th>
              <th scope="col" className="r">
                Hosts
              </th>
              <th scope="col" className="p3 tail">
                Changed
              </th>
            </tr>
          </thead>
          <tbody>
            {runbooks.map((runbook) => (
              <tr key={runbook.id}>
                <td data-m="a">
                  <Link className="b" href={routes.cleaning.runbook(runbook.id)} title={runbook.description}>
                    {runbook.name}
                  </Link>
                </td>
                <td
                  data-m="c"
                  title={runbook.steps.map((step) => `${step.interface}.${step.step}`).join(", ")}
                >
                  <span className="st">
                    {runbook.erases ? <Mark tone="attention" label="erases" /> : null}
                    <span className="cut">{stepsWords(runbook.steps)}</span>
                  </span>
                </td>
                <td className="mono p2" title={runbook.traits.join(", ")}>
                  {runbook.traits.join(", ")}
                </td>
                <td className="r" data-m="b">
                  {runbook.hosts.toLocaleString("en")}
                </td>
                <td className="n10 p3 tail">
                  <Age at={runbook.updatedAt} /> ago
                  {runbook.updatedByName === null ? "" : ` by ${runbook.updatedByName}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
