"use client";
// Repair systems: which external systems may take hosts, what each has now, and what is overdue (docs/repair.md#who-has-the-host).
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { z } from "zod";
import {
  AddProgramDialog,
  nothingMore,
  programFields,
} from "@/components/repair/external-systems/add-external-system";
import { ProgramsPage } from "@/components/repair/external-systems/external-systems-page";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/server/domain/numbers";
import { routes } from "@/server/domain/console/routes";
import { systemName } from "@/server/domain/repair/leases/lease";
import type { RepairSystem } from "@/server/surfaces/trpc/types";
import { columnsOf } from "@/components/ui/table/column";

const everyMs = 10_000;
const addSchema = z.object(programFields(systemName, nothingMore));

export function RepairSystemsPage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: systems } = useSuspenseQuery({
    ...trpc.leases.systems.queryOptions(),
    refetchInterval: everyMs,
  });
  return (
    <ProgramsPage
      kind="repair system"
      caption="Repair systems"
      rows={systems}
      what={<Sum systems={systems} />}
      columns={columns}
      usedLabel="Last used"
      empty="A repair system is an external program that takes hosts for repair over HTTP and returns them."
      adding={(dialog) => (
        <AddProgramDialog
          {...dialog}
          kind="repair system"
          consequence="It can take clean hosts that cannot be allocated, and operators can hand hosts over to it. Reclaim sends nothing to a host it holds until the host is returned."
          schema={addSchema}
          send={({ name, site }, client) => client.leases.addSystem.mutate({ name, site })}
        />
      )}
      replacing={({ name, hosts }) => ({
        consequence: `Its current token stops working at once. ${
          hosts === 0 ? "" : `It keeps ${formatCounted(hosts, "host")}. `
        }It can continue once it has the new one.`,
        send: (client) => client.leases.renewSystem.mutate({ name }),
      })}
      removing={({ name, hosts }) => ({
        consequence:
          "Its token stops working at once, and no host can be handed over to it. Its past repairs stay in the history of the hosts.",
        whyNot: stillHas(hosts),
        send: (client) => client.leases.removeSystem.mutate({ name }),
      })}
      onDone={() => void queryClient.invalidateQueries({ queryKey: trpc.leases.systems.queryKey() })}
    />
  );
}

/** How many systems there are; the number of hosts they have links to the hosts list. */
function Sum({ systems }: { systems: readonly RepairSystem[] }) {
  const hosts = systems.reduce((sum, system) => sum + system.hosts, 0);
  const overdue = systems.reduce((sum, system) => sum + system.overdue, 0);
  return (
    <>
      {formatCounted(systems.length, "repair system")}
      {hosts === 0 ? null : (
        <>
          ,{" "}
          <Link className="link" href={routes.hosts({ q: "owner:repair-system" })}>
            {formatCounted(hosts, "host")} in repair
          </Link>
        </>
      )}
      {overdue === 0 ? null : (
        <>
          ,{" "}
          <Link className="link" href={routes.hosts({ q: "owner:overdue" })}>
            {overdue} overdue
          </Link>
        </>
      )}
    </>
  );
}

const column = columnsOf<RepairSystem>();

const columns = [
  column.cell("hosts", "Hosts now", ({ hosts }) => formatCounted(hosts, "host"), { width: 96, align: "end" }),
  column.cell(
    "overdue",
    "Overdue",
    ({ overdue }) =>
      overdue === 0 ? (
        <span className="text-quiet">none overdue</span>
      ) : (
        <span className="tone" data-tone="attention">
          {formatCounted(overdue, "host")} overdue
        </span>
      ),
    { width: 136, spaced: true, narrow: "bottom-end" },
  ),
];

/** Why the system cannot be removed now. */
const stillHas = (hosts: number): string | undefined =>
  hosts === 0
    ? undefined
    : `It has ${formatCounted(hosts, "host")}: have them returned or break their leases first`;
