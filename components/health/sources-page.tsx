"use client";
// Health sources: who may report on hosts over HTTP, how often, and on how many it has fallen silent (docs/repair.md#sources).
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { useMe } from "@/components/frame/me";
import { SettingsHead } from "@/components/settings/settings-head";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { actsColumn } from "@/components/ui/table/acts-column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import type { HealthSource } from "@/server/surfaces/trpc/types";
import { AddSourceDialog } from "@/components/health/add-source";

const everyMs = 10_000;

/** What is being done. */
type Asked =
  { readonly kind: "add" } | { readonly kind: "replace" | "remove"; readonly source: HealthSource };

interface Shown {
  readonly name: string;
  readonly token: string;
}

function useSourcesChanged(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.health.sources.queryKey() });
}

export function HealthSourcesPage() {
  const trpc = useTRPC();
  const { role } = useMe();
  const { data: sources } = useSuspenseQuery({
    ...trpc.health.sources.queryOptions(),
    refetchInterval: everyMs,
  });
  const onDone = useSourcesChanged();
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<Shown>();
  const whyNot =
    reachOf(role, "site.apply") === "any" ? undefined : "Only a provider admin changes health sources";
  const close = () => setAsked(undefined);
  const silent = sources.filter((source) => source.silent > 0).length;
  return (
    <>
      <SettingsHead
        what={`${formatCounted(sources.length, "health source")}${silent === 0 ? "" : `, ${silent} silent`}`}
        acts={
          <Button small disabledReason={whyNot} onClick={() => setAsked({ kind: "add" })}>
            Add a source…
          </Button>
        }
      />
      <DataTable
        caption="Health sources"
        columns={columnsOf(whyNot, setAsked)}
        rows={sources}
        rowId={({ id }) => id}
        empty={
          <Empty title="No health source">
            A source is a program, such as a BMC monitor, that reports on hosts over HTTP. It gets a token of
            its own when it is added.
          </Empty>
        }
      />
      {asked?.kind === "add" ? (
        <AddSourceDialog onAdded={setShown} onDone={onDone} onClose={close} />
      ) : asked === undefined ? null : (
        <SourceActDialog {...asked} onToken={setShown} onDone={onDone} onClose={close} />
      )}
      {shown === undefined ? null : (
        <SecretOnce
          title={`Token of ${shown.name}`}
          what={`the token of the health source ${shown.name}`}
          secret={shown.token}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

const factColumns: readonly TableColumn<HealthSource>[] = [
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
    id: "heartbeat",
    label: "Heartbeat",
    width: 112,
    cell: ({ heartbeatSeconds }) =>
      heartbeatSeconds === null ? <span className="text-quiet">none</span> : `every ${heartbeatSeconds} s`,
  },
  { id: "hosts", label: "Hosts", width: 80, align: "end", cell: ({ hosts }) => hosts },
  {
    id: "silent",
    label: "Silent on",
    width: 112,
    narrow: "bottom-end",
    cell: ({ silent }) =>
      silent === 0 ? <span className="text-quiet">no host</span> : formatCounted(silent, "host"),
  },
  {
    id: "used",
    label: "Last report",
    width: 112,
    align: "end",
    narrow: "top-end",
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="text-quiet">never</span> : <Age at={lastUsedAt} />,
  },
];

const columnsOf = (
  whyNot: string | undefined,
  ask: (asked: Asked) => void,
): readonly TableColumn<HealthSource>[] => [
  ...factColumns,
  actsColumn(256, (source) => (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Replace the token of ${source.name}`}
        onClick={() => ask({ kind: "replace", source })}
      >
        Replace token…
      </Button>
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Remove ${source.name}`}
        onClick={() => ask({ kind: "remove", source })}
      >
        Remove…
      </Button>
    </span>
  )),
];

interface SourceActDialogProps {
  readonly kind: "replace" | "remove";
  readonly source: HealthSource;
  readonly onToken: (shown: Shown) => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function SourceActDialog({ kind, source: { name, hosts }, onToken, ...rest }: SourceActDialogProps) {
  const client = useTRPCClient();
  if (kind === "replace")
    return (
      <ActDialog
        title={`Replace the token of ${name}?`}
        consequence={
          <p>Its present token is refused at once. The source reports again when it has the new one.</p>
        }
        confirmWords="Replace token"
        send={async () => onToken(await client.health.replaceToken.mutate({ name }))}
        said={`The token of ${name} is replaced.`}
        {...rest}
      />
    );
  return (
    <ActDialog
      title={`Remove the health source ${name}?`}
      consequence={
        <p>
          Its token is refused at once. Its reports stay on {formatCounted(hosts, "host")} until they are
          removed there, and an alert in them goes on acting.
        </p>
      }
      confirmWords="Remove source"
      send={() => client.health.removeSource.mutate({ name })}
      said={`The health source ${name} is removed.`}
      {...rest}
    />
  );
}
