"use client";
// A tenant's instances: status, the state of the machine in words a tenant may see, and release of one or many.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useAskedAct } from "@/components/frame/asked-act";
import { useMe } from "@/components/frame/me";
import { useOfferActs } from "@/components/frame/page-acts";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { CurrentNotices } from "@/components/break-fix/notices/current-notices";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useSay } from "@/components/ui/toast";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { Tabs } from "@/components/ui/tabs";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import {
  type InstanceSet,
  instanceSetLabels,
  instanceSets,
  instancesHref,
  instancesQuery,
  type InstancesView,
  parseInstancesView,
} from "@/components/instances/instances-view";
import { CreateInstanceDialog } from "@/components/instances/create-dialog";
import { InstancesTable } from "@/components/instances/instances-table";
import { formatRelease, ReleaseDialog } from "@/components/instances/release-dialog";
import { z } from "zod";
import { ownSpecs, ownText } from "@/components/instances/instance-form";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { labelsText } from "@/components/ui/form/label-lines";
import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import { routes } from "@/server/domain/console/routes";

/** Links to the released instances: they leave the list of held instances once their machines are off the tenant's network. */
export function JustReleased({ rows, onClose }: { rows: readonly InstanceRow[]; onClose: () => void }) {
  const [first] = rows;
  if (first === undefined) return null;
  const what = rows.length === 1 ? first.name : formatCounted(rows.length, "instance");
  return (
    <div className="after">
      <Notice
        tone="neutral"
        act={
          <Button small kind="plain" onClick={onClose}>
            Hide
          </Button>
        }
      >
        Release of {what} accepted. The machine is erased and verified before anybody else gets it:{" "}
        <Link
          className="link"
          href={rows.length === 1 ? routes.receipt(first.id) : instancesHref({ show: "all", open: null })}
        >
          {rows.length === 1 ? "follow it to the receipt" : "follow them in All"}
        </Link>
        .
      </Notice>
    </div>
  );
}

const schema = z.object(ownText);

/** Mounted anew each time it opens. */
const EditInstanceDialog = ({ row, onClose }: { row: InstanceRow; onClose: () => void }) => (
  <ActFormDialog
    title={`Edit ${row.name}`}
    consequence="The machine is not affected. Programs that find the instance by its name need the new name."
    confirmWords="Save instance"
    edits
    schema={schema}
    values={{ name: row.name, description: row.description ?? "", labels: labelsText(row.labels) }}
    fields={ownSpecs}
    send={({ description, ...own }, client) =>
      client.instances.update.mutate({
        instanceId: row.id,
        ...own,
        description: description === "" ? null : description,
      })
    }
    said={(_, { name }) => `${name} saved`}
    stale={(trpc) => [trpc.instances]}
    onClose={onClose}
  />
);

const refreshMs = 1500;
const emptyTitles = {
  open: "No open instances",
  ended: "No released instances",
  all: "No instances yet",
} as const satisfies Record<InstanceSet, string>;

/** Live changes refetch every loaded page. */
function useInstances(view: InstancesView) {
  const trpc = useTRPC();
  const read = useInfiniteQuery(
    trpc.instances.list.infiniteQueryOptions(instancesQuery(view), {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  useLiveRefresh(() => read.refetch(), { everyMs: refreshMs });
  return useRows(read);
}

/** The selected instances. Only instances that are held can be selected. */
function useChosen(rows: readonly InstanceRow[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selection = {
    ids,
    onChange: setIds,
    label: ({ name }: InstanceRow) => name,
    isSelectable: ({ endedAt }: InstanceRow) => endedAt === null,
  };
  const drop = (dropped: readonly string[]) =>
    setIds((before) => new Set([...before].filter((id) => !dropped.includes(id))));
  return { chosen: rows.filter((row) => ids.has(row.id)), selection, drop };
}

/** The instances to confirm for release, and those just released; `drop` removes instances from the selection. */
function useReleases(drop: (ids: readonly string[]) => void) {
  const [asked, setAsked] = useState<readonly InstanceRow[]>([]);
  const [released, setReleased] = useState<readonly InstanceRow[]>([]);
  const leave = (ids: readonly string[]) => {
    drop(ids);
    setReleased(asked.filter(({ id }) => ids.includes(id)));
  };
  return { asked, setAsked, released, leave, forget: () => setReleased([]) };
}

/** Asks for the release of the instance that the address names, or says why it cannot be released. */
function useAskedRelease(ask: (row: InstanceRow) => void): void {
  const client = useTRPCClient();
  const say = useSay();
  useAskedAct("release", (id) => {
    client.instances.get
      .query({ id })
      .then((row) =>
        row.release.allowed
          ? ask(row)
          : say(`${row.name}: ${row.release.reason ?? "it cannot be released now"}`),
      )
      .catch((error: unknown) => say(problemOf(error).words));
  });
}

export function InstancesPage() {
  const me = useMe();
  const [view, changeView] = useAddressView(parseInstancesView, instancesHref);
  const list = useInstances(view);
  const { chosen, selection, drop } = useChosen(list.rows);
  const [dialog, setDialog] = useState<"create" | InstanceRow | null>(null);
  const { asked, setAsked, released, leave, forget } = useReleases(drop);
  const ask = useCallback((row: InstanceRow) => setAsked([row]), [setAsked]);
  useAskedRelease(ask);
  const open = useCallback(
    (id: string) => changeView({ open: view.open === id ? null : id }),
    [changeView, view.open],
  );
  const mayRelease = me.mayReleaseInstances && view.show !== "ended";
  const create = me.mayCreateInstances ? () => setDialog("create") : undefined;
  useOfferActs([
    ...(create === undefined ? [] : [{ words: "Create instance", run: create }]),
    ...(mayRelease && chosen.length > 0
      ? [{ words: formatRelease(chosen.length, chosen[0]?.name), run: () => setAsked(chosen) }]
      : []),
  ]);
  return (
    <>
      <InstancesHead
        chosen={chosen}
        onCreate={create}
        onRelease={mayRelease ? () => setAsked(chosen) : undefined}
      />
      {me.tenant === null ? null : <CurrentNotices />}
      <Sets view={view} total={list.total} />
      <JustReleased rows={released} onClose={forget} />
      <InstancesTable
        list={list}
        ofProvider={me.tenant === null}
        released={view.show === "ended"}
        selection={mayRelease ? selection : undefined}
        open={view.open}
        onToggle={open}
        onRelease={mayRelease ? ask : undefined}
        onEdit={create && setDialog}
        empty={<NoInstances show={view.show} />}
      />
      <OwnDialogs open={dialog} onClose={() => setDialog(null)} />
      <ReleaseDialog chosen={asked} onClose={() => setAsked([])} onReleased={leave} />
    </>
  );
}

interface InstancesHeadProps {
  chosen: readonly InstanceRow[];
  /** Undefined if this user may not create instances. */
  onCreate: (() => void) | undefined;
  /** Undefined if nothing can be released here. */
  onRelease: (() => void) | undefined;
}

function InstancesHead({ chosen, onCreate, onRelease }: InstancesHeadProps) {
  const me = useMe();
  const none = chosen.length === 0;
  return (
    <div className="head">
      <h1>Instances</h1>
      <span className="what">{me.tenant === null ? "of all tenants" : `of ${me.tenant.name}`}</span>
      {onCreate === undefined && onRelease === undefined ? null : (
        <div className="acts">
          {onRelease === undefined ? null : (
            <Button
              kind={onCreate === undefined ? "main" : "ordinary"}
              onClick={onRelease}
              disabledReason={none ? "Select the instances to release first" : undefined}
            >
              {none ? "Release instances…" : `${formatRelease(chosen.length, chosen[0]?.name)}…`}
            </Button>
          )}
          {onCreate === undefined ? null : (
            <Button kind="main" onClick={onCreate}>
              Create instance…
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Sets({ view, total }: { view: InstancesView; total: number | null }) {
  return (
    <Tabs
      label="Instances"
      tabs={instanceSets.map((show) => ({
        href: instancesHref({ ...view, show }),
        words: instanceSetLabels[show],
        count: show === view.show && total !== null ? formatCount(total) : undefined,
        current: show === view.show,
      }))}
    />
  );
}

function NoInstances({ show }: { show: InstanceSet }) {
  const ofProvider = useMe().tenant === null;
  return (
    <Empty title={emptyTitles[show]}>
      An instance is a whole machine assigned to {ofProvider ? "a tenant" : "you"}.{" "}
      {ofProvider ? "The instances of all tenants" : "Your instances"} appear here, and after a release, the
      progress of the machine&rsquo;s reclamation.
    </Empty>
  );
}

/** A tenant's own dialogs: create an instance, or edit the given one. */
function OwnDialogs({ open, onClose }: { open: "create" | InstanceRow | null; onClose: () => void }) {
  if (open === null) return null;
  return open === "create" ? (
    <CreateInstanceDialog onClose={onClose} />
  ) : (
    <EditInstanceDialog key={open.id} row={open} onClose={onClose} />
  );
}
