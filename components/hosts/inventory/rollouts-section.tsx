"use client";
// Firmware rollouts: stage, hosts in each state, and what people do with them (docs/platform.md#firmware-rollouts).
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { RolloutApproval } from "@/components/hosts/inventory/rollout-approval";
import { StartRollout } from "@/components/hosts/inventory/start-rollout";
import { useTRPC } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { formatCounted } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { RolloutHost, RolloutLine } from "@/server/surfaces/trpc/types";

const everyMs = 5_000;

export function RolloutsSection() {
  const trpc = useTRPC();
  const me = useMe();
  const { data } = useSuspenseQuery({ ...trpc.rollouts.list.queryOptions(), refetchInterval: everyMs });
  const open = data.rollouts.filter(({ endedAt }) => endedAt === null);
  const past = data.rollouts.filter(({ endedAt }) => endedAt !== null);
  const { pending, running } = data.updates.hosts;
  return (
    <section aria-label="Rollouts">
      <div className="sec">
        <h2>Rollouts</h2>
        <span className="sum cut">
          {formatCounted(pending, "host")} pending, {running} running; DPUs: not reported
        </span>
        <span className="end">
          <StartRollout
            whyNot={
              reachOf(me.role, "sku.write") === "any"
                ? undefined
                : "Only a provider admin can start a firmware rollout"
            }
          />
        </span>
      </div>
      {open.length === 0 ? (
        <p className="text-quiet text-compact">
          No rollout is open. A rollout brings new firmware to the hosts of a SKU in stages: each host takes
          it when it is cleaned, as far as the open stage allows.
        </p>
      ) : (
        open.map((line) => <Open key={line.id} line={line} />)
      )}
      {past.length === 0 ? null : (
        <DataTable caption="Previous rollouts" columns={pastColumns} rows={past} rowId={({ id }) => id} />
      )}
    </section>
  );
}

const changesOf = ({ components }: RolloutLine): string =>
  components.map(({ component, from, to }) => `${component} ${from} → ${to}`).join(", ");

function Open({ line }: { readonly line: RolloutLine }) {
  const { sku, state, hosts, stages, stage } = line;
  return (
    <section aria-label={`Rollout of ${sku}`}>
      <div className="sec">
        <h3>
          <Link className="link" href={routes.sku(sku)}>
            {sku}
          </Link>
        </h3>
        <span className="sum cut">{changesOf(line)}</span>
      </div>
      {state === "paused" ? (
        <Notice tone="attention">
          <b className="text-medium">
            Paused{line.pausedBy === null ? " by itself" : ` by ${line.pausedBy}`}.
          </b>{" "}
          {line.pausedReason}. No further host takes the new firmware; the others keep theirs.
        </Notice>
      ) : null}
      {state === "waits" ? <RolloutApproval line={line} /> : null}
      {state === "rejected" ? (
        <Notice tone="attention">It was rejected. No host takes the new firmware.</Notice>
      ) : null}
      <dl className="pairs">
        <dt>Stage</dt>
        <dd>
          {stage + 1} of {stages.length}: {stages.join(", then ")}.{" "}
          <b className="text-medium">{stages[stage]}</b> is open, {line.taken} of{" "}
          {formatCounted(line.places, "host")} were let in
        </dd>
        <dt>Hosts</dt>
        <dd>
          {hosts.done} done, {hosts.running} running, {hosts.failed} failed, {hosts.pending} pending
        </dd>
        <dt>Pauses</dt>
        <dd>after {formatCounted(line.maxFailures, "failed host")}</dd>
        <dt>Started</dt>
        <dd>
          <Time at={line.startedAt} /> by {line.startedBy}
          {line.approvedBy === null ? "" : `, approved by ${line.approvedBy}`}: {line.reason}
        </dd>
      </dl>
      <Acts line={line} />
      <LetIn id={line.id} />
    </section>
  );
}

/** The hosts that were let in. */
function LetIn({ id }: { readonly id: string }) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.rollouts.get.queryOptions({ rollout: id }),
    refetchInterval: everyMs,
  });
  const rows = (data?.list ?? []).filter(({ state }) => state !== "pending");
  return rows.length === 0 ? null : (
    <DataTable
      caption="Hosts that were let in"
      columns={hostColumns}
      rows={rows}
      rowId={(row) => row.hostId}
    />
  );
}

const tones = { failed: "failed", running: "working", done: "good", pending: "neutral" } as const;
const hostColumn = columnsOf<RolloutHost>();
const hostColumns = [
  hostColumn.cell(
    "host",
    "Host",
    ({ host, state }) => (
      <span className="marked-text">
        <Mark tone={tones[state]} label={state} />
        <Link className="text-medium" href={routes.host(host)}>
          {host}
        </Link>
      </span>
    ),
    { width: 200, narrow: "top-start", rowHeader: true },
  ),
  hostColumn.text("rollout", "Rollout", ({ state }) => state, { width: 120, narrow: "top-end" }),
  hostColumn.text("state", "State", ({ hostState }) => hostState.replaceAll("/", " / "), {
    narrow: "bottom-start",
  }),
];

const pastColumn = columnsOf<RolloutLine>();
const pastColumns = [
  pastColumn.name("sku", "SKU", ({ sku }) => sku, { width: 180 }),
  pastColumn.text("firmware", "Firmware", changesOf, { narrow: "line" }),
  pastColumn.text("state", "Ended", ({ state }) => state, { width: 120, narrow: "bottom-start" }),
  pastColumn.text("hosts", "Hosts", ({ hosts }) => `${hosts.done} done, ${hosts.failed} failed`, {
    width: 160,
    narrow: "bottom-end",
  }),
  pastColumn.time("when", "When", ({ endedAt }) => endedAt, { width: 140, align: "end", narrow: "top-end" }),
];

/** Why a person may not; undefined: may. */
function useWhyNot() {
  const { role } = useMe();
  const why = (right: "sku.write" | "host.interrupt") =>
    reachOf(role, right) === "any" ? undefined : `The role ${role} may not do this`;
  return { goOn: why("sku.write"), stop: why("host.interrupt") };
}

type Kind = "pause" | "resume" | "next" | "finish" | "abort";

/** What each act says before it is done. */
function wordsOf(kind: Kind, line: RolloutLine) {
  const { sku, hosts, stages, stage, taken, places } = line;
  switch (kind) {
    case "pause":
      return {
        button: "Pause…",
        title: `Pause the rollout of ${sku}?`,
        consequence:
          "No further host takes the new firmware. Hosts that are on their way back with it go on; the others keep their firmware, which stays wanted of them.",
        confirm: "Pause the rollout",
        said: `The rollout of ${sku} is paused.`,
      };
    case "resume":
      return {
        button: "Resume…",
        title: `Resume the rollout of ${sku}?`,
        consequence: `Hosts are let in again, up to ${stages[stage] ?? ""}. ${formatCounted(hosts.failed, "host")} that failed until now count no more.`,
        confirm: "Resume the rollout",
        said: `The rollout of ${sku} goes on.`,
      };
    case "next":
      return {
        button: "Next stage…",
        title: `Open the next stage of ${sku}, ${stages[stage + 1] ?? ""}?`,
        consequence: `Of this stage, ${taken} of ${formatCounted(places, "host")} were let in: ${hosts.done} done, ${hosts.running} running, ${hosts.failed} failed. A stage cannot be closed again; you can pause.`,
        confirm: `Open ${stages[stage + 1] ?? "the next stage"}`,
        said: `The next stage of ${sku} is open.`,
      };
    case "finish":
      return {
        button: "Finish…",
        title: `Finish the rollout of ${sku}?`,
        consequence: `The baseline of ${sku} names the new firmware. ${formatCounted(hosts.pending, "host")} that do not have it get it when they are cleaned.`,
        confirm: "Finish the rollout",
        said: `The rollout of ${sku} is finished.`,
      };
    case "abort":
      return {
        button: "Abort…",
        title: `Abort the rollout of ${sku}?`,
        consequence: `No further host takes the new firmware. ${formatCounted(hosts.done + hosts.running, "host")} that took it keep it; of ${formatCounted(hosts.failed, "failed host")} the SKU's firmware is wanted again. A rollout that was aborted cannot be resumed.`,
        confirm: "Abort the rollout",
        said: `The rollout of ${sku} is aborted.`,
      };
  }
}

function Acts({ line }: { readonly line: RolloutLine }) {
  const whyNot = useWhyNot();
  const { state, stage, stages } = line;
  const isLast = stage === stages.length - 1;
  const kinds: readonly Kind[] =
    state === "running"
      ? ["pause", isLast ? "finish" : "next", "abort"]
      : state === "paused"
        ? ["resume", ...(isLast ? (["finish"] as const) : []), "abort"]
        : ["abort"];
  return (
    <div className="acts left">
      {kinds.map((kind) => (
        <Act
          key={kind}
          kind={kind}
          line={line}
          whyNot={kind === "pause" || kind === "abort" ? whyNot.stop : whyNot.goOn}
        />
      ))}
    </div>
  );
}

interface ActProps {
  readonly kind: Kind;
  readonly line: RolloutLine;
  readonly whyNot: string | undefined;
}

function Act({ kind, line, whyNot }: ActProps) {
  const words = wordsOf(kind, line);
  return (
    <DialogButton
      disabledReason={whyNot}
      dialog={(onClose) => (
        <ActDialog
          title={words.title}
          consequence={words.consequence}
          confirmWords={words.confirm}
          reason
          send={({ reason }, { rollouts }) => {
            const input = { rollout: line.id, reason };
            if (kind === "next") return rollouts.advance.mutate({ ...input, stage: line.stage });
            return rollouts[kind].mutate(input);
          }}
          said={words.said}
          stale={(trpc) => [trpc.rollouts]}
          onClose={onClose}
        />
      )}
    >
      {words.button}
    </DialogButton>
  );
}
