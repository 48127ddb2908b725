"use client";
// Repair systems: which systems outside may take hosts, what each has now, and what it has for longer than it said (docs/repair.md#who-has-the-host).
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { AddSystemDialog } from "@/components/custody/add-system";
import { useMe } from "@/components/frame/me";
import { SettingsHead } from "@/components/settings/settings-head";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { actsColumn } from "@/components/ui/table/acts-column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { RepairSystem } from "@/server/surfaces/trpc/types";

const everyMs = 10_000;

/** What is being done. */
type Asked = { readonly kind: "add" } | { readonly kind: "renew" | "remove"; readonly system: RepairSystem };

interface Shown {
  readonly name: string;
  readonly token: string;
}

function useSystemsChanged(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.leases.systems.queryKey() });
}

export function RepairSystemsPage() {
  const trpc = useTRPC();
  const { role } = useMe();
  const { data: systems } = useSuspenseQuery({
    ...trpc.leases.systems.queryOptions(),
    refetchInterval: everyMs,
  });
  const onDone = useSystemsChanged();
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<Shown>();
  const whyNot =
    reachOf(role, "site.apply") === "any" ? undefined : "Only a provider admin changes repair systems";
  const close = () => setAsked(undefined);
  return (
    <>
      <SettingsHead
        what={<Sum systems={systems} />}
        acts={
          <Button small disabledReason={whyNot} onClick={() => setAsked({ kind: "add" })}>
            Add a system…
          </Button>
        }
      />
      <DataTable
        caption="Repair systems"
        columns={columnsOf(whyNot, setAsked)}
        rows={systems}
        rowId={({ id }) => id}
        empty={
          <Empty title="No repair system">
            A repair system is a program outside of Reclaim that takes hosts for repair over HTTP and returns
            them. It gets a token of its own when it is added.
          </Empty>
        }
      />
      {asked?.kind === "add" ? (
        <AddSystemDialog onAdded={setShown} onDone={onDone} onClose={close} />
      ) : asked === undefined ? null : (
        <SystemActDialog {...asked} onToken={setShown} onDone={onDone} onClose={close} />
      )}
      {shown === undefined ? null : (
        <SecretOnce
          title={`Token of ${shown.name}`}
          what={`the token of the repair system ${shown.name}`}
          secret={shown.token}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

/** How many there are; the hosts that they have lead to the list of hosts. */
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

const factColumns: readonly TableColumn<RepairSystem>[] = [
  {
    id: "name",
    label: "Name",
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    cell: ({ name }) => name,
  },
  {
    id: "site",
    label: "Site",
    width: 120,
    narrow: "bottom-start",
    cell: ({ site }) => site ?? "every site",
  },
  {
    id: "hosts",
    label: "Has now",
    width: 96,
    align: "end",
    cell: ({ hosts }) => formatCounted(hosts, "host"),
  },
  {
    id: "overdue",
    label: "Overdue",
    width: 112,
    spaced: true,
    narrow: "bottom-end",
    cell: ({ overdue }) =>
      overdue === 0 ? (
        <span className="text-quiet">no host</span>
      ) : (
        <span className="tone" data-tone="attention">
          {formatCounted(overdue, "host")}
        </span>
      ),
  },
  {
    id: "used",
    label: "Last used",
    width: 112,
    align: "end",
    narrow: "top-end",
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="text-quiet">never</span> : <Age at={lastUsedAt} />,
  },
];

/** Why a system cannot be removed now. */
const stillHas = ({ hosts }: RepairSystem): string | undefined =>
  hosts === 0
    ? undefined
    : `It has ${formatCounted(hosts, "host")}: it returns them first, or their leases are broken`;

const columnsOf = (
  whyNot: string | undefined,
  ask: (asked: Asked) => void,
): readonly TableColumn<RepairSystem>[] => [
  ...factColumns,
  actsColumn(256, (system) => (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Replace the token of ${system.name}`}
        onClick={() => ask({ kind: "renew", system })}
      >
        Replace token…
      </Button>
      <Button
        small
        disabledReason={whyNot ?? stillHas(system)}
        aria-label={`Remove ${system.name}`}
        onClick={() => ask({ kind: "remove", system })}
      >
        Remove…
      </Button>
    </span>
  )),
];

interface SystemActDialogProps {
  readonly kind: "renew" | "remove";
  readonly system: RepairSystem;
  readonly onToken: (shown: Shown) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function SystemActDialog({ kind, system: { name, hosts }, onToken, ...rest }: SystemActDialogProps) {
  const client = useTRPCClient();
  if (kind === "renew")
    return (
      <ActDialog
        title={`Replace the token of ${name}?`}
        consequence={
          <p>
            Its present token is refused at once.{" "}
            {hosts === 0 ? "" : `It keeps ${formatCounted(hosts, "host")}. `}
            It goes on when it has the new one.
          </p>
        }
        confirmWords="Replace token"
        send={async () => onToken(await client.leases.renewSystem.mutate({ name }))}
        said={`The token of ${name} is replaced.`}
        {...rest}
      />
    );
  return (
    <ActDialog
      title={`Remove the repair system ${name}?`}
      consequence={
        <p>
          Its token is refused at once, and no host can be handed over to it. What it repaired stays in the
          history of the hosts.
        </p>
      }
      confirmWords="Remove system"
      send={() => client.leases.removeSystem.mutate({ name })}
      said={`The repair system ${name} is removed.`}
      {...rest}
    />
  );
}
