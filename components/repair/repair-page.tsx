"use client";
// Repairs: the queue, hosts being repaired, outcomes, and repeat offenders; one host opens in a side panel.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { HostPanel } from "@/components/repair/host-panel";
import { HeldList, OffendersList, QueueList } from "@/components/repair/repair-lists";
import { OutcomesTab } from "@/components/repair/outcomes-tab";
import { parseRepairView, queueQuery, repairTabs, type RepairView } from "@/components/repair/repair-view";
import { useTRPC } from "@/components/trpc/trpc";
import { usePagedList, wholeList } from "@/components/ui/resource-table/resource-list";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import type { HeldRow, QueueRow } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { issueSpecs, noIssue, releaseIssue } from "@/components/instances/issue-fields";
import { ShownError } from "@/components/trpc/query-client";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { instanceName } from "@/server/domain/instances/own-text";
import { hostLabelValue } from "@/server/domain/hosts/labels/host-labels";
import { notedOutcomes } from "@/server/domain/repair/repairs";

// A repair tenant's acts on a host: claim it, note the status of its repair, and release it.
interface Closing {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const claimSchema = z.object({
  name: z.string().refine((text) => instanceName.safeParse(text).success, "Enter a name for the instance"),
});

const ClaimDialog = ({
  host: { host, hostId },
  ...rest
}: { readonly host: Pick<QueueRow, "host" | "hostId"> } & Closing) => (
  <ActFormDialog
    title={`Claim ${host} for repair?`}
    consequence={
      <p>
        The host is clean; it boots your image on your network. Its label <code>repair_status</code> becomes
        InProgress, and the ticket and summary of an earlier repair are removed. Nobody else gets it until you
        release it.
      </p>
    }
    confirmWords={`Claim ${host}`}
    schema={claimSchema}
    values={{ name: `repair-${host}` }}
    fields={{ name: { label: "Name of the instance", autoFocus: true } }}
    send={({ name }, client) =>
      client.instances.create.mutate({ name, wanted: { hostId, allowUnhealthy: true } })
    }
    said={`${host} is claimed`}
    {...rest}
  />
);

const outcomeSchema = z.object({
  outcome: z.enum(notedOutcomes, { error: "Choose the outcome" }),
  ticket: hostLabelValue,
  summary: hostLabelValue,
});

const outcomeOptions = [
  { value: "InProgress", label: "In progress" },
  { value: "Completed", label: "Completed" },
  { value: "Failed", label: "Failed" },
];

const outcomeOf = ({ outcome }: HeldRow) =>
  outcome === "completed" ? "Completed" : outcome === "failed" ? "Failed" : "InProgress";

const OutcomeDialog = ({ row, ...rest }: { readonly row: HeldRow } & Closing) => (
  <ActFormDialog
    title={`Outcome of ${row.host}`}
    consequence="Stored as labels of the host. At the release, only a completed repair clears the alerts."
    confirmWords="Set outcome"
    schema={outcomeSchema}
    values={{ outcome: outcomeOf(row), ticket: row.ticket ?? "", summary: row.note ?? "" }}
    fields={{
      outcome: { label: "Outcome", options: outcomeOptions },
      summary: { label: "Summary", aside: "optional", hint: "what was done" },
      ticket: { label: "Ticket", aside: "optional", mono: true },
    }}
    send={(noted, client) => client.repair.setOutcome.mutate({ hostId: row.hostId, ...noted })}
    said={`Outcome of ${row.host} saved`}
    {...rest}
  />
);

/** What the release will do to the alerts: the completion matrix in words (docs/repair.md#what-a-repair-tenants-release-does). */
function releaseEffect({ requested, reported, outcome }: HeldRow, issue: boolean): string {
  if (issue) return "The new issue keeps the host out of allocation until somebody has checked it.";
  if (!requested)
    return reported
      ? "No repair is requested of it now: the reported issue stays until an operator removes it."
      : "No alert requests a repair of it now.";
  return outcome === "completed"
    ? "The alerts that requested the repair are removed, and the host continues to Ready."
    : "Its outcome is not Completed: the host stays out of allocation, with the alert that the repair is incomplete. Set the outcome first if it was completed.";
}

const ReleaseRepairDialog = ({ row, ...rest }: { readonly row: HeldRow } & Closing) => (
  <ActFormDialog
    title={`Release ${row.host} from repair?`}
    consequence={({ category }) => (
      <>
        <p>
          The host is shut off from the network of the repair tenant, and everything on its drives is erased.
          This cannot be undone.
        </p>
        <p>{releaseEffect(row, category !== "")}</p>
      </>
    )}
    confirmWords={`Release ${row.host}`}
    typeName={row.instance}
    schema={releaseIssue}
    values={noIssue}
    fields={issueSpecs}
    send={async ({ issue }, client) => {
      const [result] = await client.instances.release.mutate({
        ids: [row.instanceId],
        repairTenant: true,
        ...(issue === null ? {} : { issue }),
      });
      if (result?.ok !== true) throw new ShownError(result?.message ?? "The release was not accepted.");
    }}
    said={`Release of ${row.host} accepted`}
    {...rest}
  />
);

const refreshMs = 3_000;

const repairHref = ({ tab, host }: RepairView): string => routes.repair({ tab, host: host ?? undefined });

/** The two lists whose rows have acts. */
function useLists() {
  const trpc = useTRPC();
  const queue = useInfiniteQuery(
    trpc.repair.queue.infiniteQueryOptions(queueQuery, { getNextPageParam: (page) => page.nextCursor }),
  );
  const held = useQuery(trpc.repair.held.queryOptions());
  useLiveRefresh(() => Promise.all([queue.refetch(), held.refetch()]), { everyMs: refreshMs });
  return { queue, held };
}

type Asked =
  | { readonly act: "claim"; readonly host: Pick<QueueRow, "host" | "hostId"> }
  | { readonly act: "outcome" | "release"; readonly row: HeldRow };

type Lists = ReturnType<typeof useLists>;

const queueRows = {
  rowsOf: ({ rows }: { readonly rows: readonly QueueRow[] }) => rows,
  rowId: ({ host }: QueueRow) => host,
  totalOf: ({ total }: { readonly total: number | null }) => total,
};

export function RepairPage() {
  const me = useMe();
  const [view, change] = useAddressView(parseRepairView, repairHref);
  const lists = useLists();
  const [asked, setAsked] = useState<Asked | null>(null);
  const open = useCallback(
    (host: string) => change({ host: view.host === host ? null : host }),
    [change, view.host],
  );
  const ofProvider = me.tenant === null;
  const claim = useCallback(
    ({ host, hostId }: Pick<QueueRow, "host" | "hostId">) =>
      setAsked({ act: "claim", host: { host, hostId } }),
    [],
  );
  const queue = usePagedList(lists.queue, queueRows);
  const outcome = useCallback((row: HeldRow) => setAsked({ act: "outcome", row }), []);
  const release = useCallback((row: HeldRow) => setAsked({ act: "release", row }), []);
  const listed = { open: view.host, onToggle: open };
  const released = (host: string) => view.host === host && change({ host: null });
  return (
    <>
      <RepairHead lists={lists} view={view} ofProvider={ofProvider} />
      <ListWithPanel
        label="Repairs"
        className="repair-list"
        panel={
          view.host === null ? null : (
            <HostPanel
              key={view.host}
              host={view.host}
              onClose={() => change({ host: null })}
              onClaim={ofProvider ? undefined : claim}
            />
          )
        }
      >
        {view.tab === "queue" ? (
          <QueueList {...listed} list={queue} onClaim={ofProvider ? undefined : claim} />
        ) : null}
        {view.tab === "held" ? (
          <HeldList
            {...listed}
            list={wholeList(lists.held, lists.held.data)}
            onOutcome={outcome}
            onRelease={release}
          />
        ) : null}
        {view.tab === "outcomes" ? <OutcomesTab /> : null}
        {view.tab === "offenders" ? <OffendersList {...listed} /> : null}
        {ofProvider ? null : (
          <p className="after text-quiet">
            Shows hosts that need repair and hosts that you hold. Former tenants stay hidden; their issue is
            shown as they wrote it.
          </p>
        )}
      </ListWithPanel>
      <Asking asked={asked} onClose={() => setAsked(null)} onReleased={released} />
    </>
  );
}

interface RepairHeadProps {
  readonly lists: Lists;
  readonly view: RepairView;
  readonly ofProvider: boolean;
}

function RepairHead({ lists: { queue, held }, view, ofProvider }: RepairHeadProps) {
  const first = queue.data?.pages[0];
  const words = {
    queue: "Queue",
    held: ofProvider ? "Being repaired" : "Held by us",
    outcomes: "Outcomes",
    offenders: "Repeat offenders",
  };
  const counts = { queue: first?.total, held: held.data?.length, outcomes: undefined, offenders: undefined };
  return (
    <>
      <div className="head">
        <h1>Repair</h1>
        <span className="what">
          {first === undefined
            ? ""
            : `${first.total} in the queue, ${first.claimable} ready to claim; ${ofProvider ? "" : "you hold "}${held.data?.length ?? 0}${ofProvider ? " being repaired" : ""}`}
        </span>
        <div className="acts">
          <a
            className="btn plain"
            href={routes.files.repairCsv(view.tab)}
            download={`repair-${view.tab}.csv`}
          >
            CSV
          </a>
        </div>
      </div>
      <Tabs
        label="Repair"
        tabs={repairTabs.map((tab) => ({
          href: routes.repair({ tab, host: view.host ?? undefined }),
          words: words[tab],
          count: counts[tab] === undefined ? undefined : String(counts[tab]),
          current: tab === view.tab,
        }))}
      />
    </>
  );
}

/** The open dialog. */
interface AskingProps {
  readonly asked: Asked | null;
  readonly onClose: () => void;
  /** Called after a release, when the panel has nothing left to show. */
  readonly onReleased: (host: string) => unknown;
}

function Asking({ asked, onClose, onReleased }: AskingProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  if (asked === null) return null;
  const done = () => {
    void client.invalidateQueries({ queryKey: trpc.repair.pathKey() });
    void client.invalidateQueries({ queryKey: trpc.instances.pathKey() });
  };
  switch (asked.act) {
    case "claim":
      return <ClaimDialog host={asked.host} onClose={onClose} onDone={done} />;
    case "outcome":
      return <OutcomeDialog row={asked.row} onClose={onClose} onDone={done} />;
    case "release": {
      const released = () => {
        onReleased(asked.row.host);
        done();
      };
      return <ReleaseRepairDialog row={asked.row} onClose={onClose} onDone={released} />;
    }
  }
}
