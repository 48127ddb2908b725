"use client";
// Site changes: those awaiting another provider admin with their buttons, and closed ones.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { idOf, overChangeQuery } from "@/components/assurance/assurance-view";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { useItems, type ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { routes } from "@/server/domain/console/routes";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";
import { ApprovalActs, type StartedAct, useApprovalDialog } from "@/components/assurance/approval-acts";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { effectOf, type ShownEffect } from "@/components/cleaning/policy/effect";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import { ChangeList } from "@/components/sites/change-list";
import { Facts } from "@/components/ui/head/facts";
import { Time } from "@/components/ui/time/time";
import { confirmedText } from "@/server/domain/access/passkeys";
import { formatSetting } from "@/server/domain/sites/setting-fields";
import type { AskingAction } from "@/server/domain/sites/two-people";
import { formatCounted } from "@/server/domain/numbers";

// Labels for site changes that need two people. Pure.
const actText: Record<AskingAction, string> = {
  "site.apply": "Settings",
  "site.setErase": "Erase policy",
  "site.setAdmission": "Admission limits",
  "site.setAutomatedClean": "Automated cleaning",
  "host.setAutomatedClean": "Automated cleaning of a host",
  "procedure.save": "Procedure",
  "procedure.remove": "Remove procedure",
  "override.save": "Priority of a step",
  "override.remove": "Priority of a step",
  "image.add": "Agent image",
  "sku.create": "New SKU",
  "sku.createFromHost": "New SKU",
  "sku.change": "SKU",
  "sku.captureBaseline": "Baseline of a SKU",
  "sku.remove": "Delete SKU",
  "rollout.finish": "Finish a firmware rollout",
};
const actLabels: Readonly<Record<string, string>> = actText;

type Line = Pick<PolicyChangeLine, "action" | "changes" | "site">;

/** What is changed: the name of a single setting, or the number of settings. */
export function changeTitle({ action, changes }: Line): string {
  const what = actLabels[action] ?? action;
  const [first, ...more] = changes;
  return first === undefined || more.length > 0
    ? `${what}: ${formatCounted(changes.length, "change")}`
    : `${what}: ${formatSetting(first.path)}`;
}

/** The same with its site. */
const changeName = (line: Line): string => `${changeTitle(line)}, site ${line.site}`;

const because = (reason: string | null): string => (reason === null || reason === "" ? "" : `: ${reason}`);

/** The status, who decided, and why it was voided. */
export function changeStatus(
  line: Pick<
    PolicyChangeLine,
    "decision" | "decidedBy" | "decidedWith" | "decidedReason" | "voided" | "own" | "version"
  >,
): string {
  if (line.decision === "approved")
    return `approved by ${line.decidedBy ?? "nobody"}${confirmedText(line.decidedWith)}, version ${line.version ?? "unknown"}`;
  if (line.decision === "rejected")
    return `rejected by ${line.decidedBy ?? "nobody"}${confirmedText(line.decidedWith)}${because(line.decidedReason)}`;
  if (line.voided !== null) return `void${because(line.voided)}`;
  return line.own ? "waiting for another provider admin" : "waiting for a decision";
}

/** What a requested site change would change, and the reason given. */
function PolicyChangeFacts({ line }: { readonly line: PolicyChangeLine }) {
  return (
    <>
      <Facts
        facts={[
          ["Reason", line.reason === "" ? "none given" : line.reason],
          ["Asked", <Time key="asked" at={line.askedAt} />],
          ["Expires", <Time key="expires" at={line.validUntil} />],
        ]}
      />
      <ChangeList caption="What it changes" changes={line.changes} none="Nothing would change." whole />
    </>
  );
}

// Approve, reject and withdraw buttons of a site change; empty if this user may do none of it.
type OnAsk = (started: StartedAct<PolicyChangeLine>) => void;

const PolicyChangeActs = (props: { readonly line: PolicyChangeLine; readonly onAsk: OnAsk }) => (
  <ApprovalActs {...props} words={changeName(props.line)} />
);

const usePolicyChangeDialog = (onDone: () => void) =>
  useApprovalDialog<PolicyChangeLine>((started) => <PolicyChangeDialog {...started} onDone={onDone} />);

interface DialogProps extends StartedAct<PolicyChangeLine> {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function PolicyChangeDialog({ act, ...rest }: DialogProps) {
  return act === "withdraw" ? <WithdrawDialog {...rest} /> : <DecidePolicyChange decision={act} {...rest} />;
}

interface DecideProps extends Omit<DialogProps, "act"> {
  readonly decision: Decision;
}

function DecidePolicyChange({ decision, line, ...rest }: DecideProps) {
  const { effect, calculating } = useEffectOf(line, decision === "approved");
  return (
    <DecideDialog
      decision={decision}
      item={{ id: line.approvalId, evidence: line.evidence, words: changeName(line) }}
      about="policyChange"
      shows={
        <>
          <PolicyChangeFacts line={line} />
          {effect}
        </>
      }
      calculating={calculating}
      askedBy={line.askedBy}
      {...rest}
    />
  );
}

/** How a change of policy or priorities would have affected recorded reclamations. */
function useEffectOf({ id, siteId, changes }: PolicyChangeLine, isWanted: boolean): ShownEffect {
  const trpc = useTRPC();
  const isOfPolicy = changes.some(({ path: [member] }) => member === "policy" || member === "priorities");
  const isAsked = isWanted && isOfPolicy;
  const query = useQuery({ ...trpc.policyChanges.get.queryOptions({ id }), enabled: isAsked });
  const asked = query.data?.document;
  const effect = usePolicyEffect(
    isAsked && asked !== undefined
      ? { siteId, policy: asked.policy, priorities: asked.priorities }
      : undefined,
  );
  return isAsked && asked === undefined ? effectOf(query, undefined) : effect;
}

function WithdrawDialog({ line, onClose, onDone }: Omit<DialogProps, "act">) {
  const words = changeName(line);
  return (
    <ActDialog
      reason
      title={`Withdraw ${words}?`}
      consequence="Nobody can approve it any more. Nothing has changed. You can ask again."
      confirmWords="Withdraw change"
      said={`Withdrawn: ${words}`}
      send={({ reason }, client) => client.policyChanges.withdraw.mutate({ id: line.id, reason })}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

interface PolicyChangesTabProps {
  /** Pending changes. */
  readonly list: ResourceList<PolicyChangeLine>;
  readonly onDone: () => void;
}

export function PolicyChangesTab({ list, onDone }: PolicyChangesTabProps) {
  const trpc = useTRPC();
  const over = useInfiniteQuery(
    trpc.policyChanges.list.infiniteQueryOptions(overChangeQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const { ask, dialog } = usePolicyChangeDialog(() => {
    void over.refetch();
    onDone();
  });
  const waiting = useMemo(
    () => [whatColumn, siteColumn, standingColumn, byColumn, timeColumn("Expires"), actsColumn(ask)],
    [ask],
  );
  return (
    <>
      {dialog}
      <Lines
        name="policy-changes"
        caption="Changes that wait for approval"
        columns={waiting}
        list={list}
        empty={
          <Empty title="No pending changes">
            If a site’s policy requires approval, changes to its settings appear here until another provider
            admin approves them.
          </Empty>
        }
      />
      <div className="sec">
        <h2>Closed</h2>
        <span className="sum cut">the newest first</span>
      </div>
      <Lines
        name="closed-policy-changes"
        prefix="closed"
        caption="Closed changes"
        columns={overColumns}
        list={useItems(over, idOf)}
        empty={<p className="text-quiet">None yet.</p>}
      />
    </>
  );
}

interface LinesProps {
  readonly name: string;
  readonly prefix?: string;
  readonly caption: string;
  readonly columns: readonly TableColumn<PolicyChangeLine>[];
  readonly list: ResourceList<PolicyChangeLine>;
  readonly empty: React.ReactNode;
}

const Lines = (lines: LinesProps) => (
  <ResourceTable
    {...lines}
    noun="change"
    of={lines.prefix}
    fullWidth={false}
    rowId={idOf}
    namesOf={({ site }) => [site]}
    detail={(line) => <PolicyChangeFacts line={line} />}
  />
);

const column = columnsOf<PolicyChangeLine>();

const whatColumn = column.opener("what", "Change", (line) => ({ id: line.id, words: changeTitle(line) }), {
  width: "28%",
  openerClass: "link",
  title: changeTitle,
});

const siteColumn = column.cell(
  "site",
  "Site",
  ({ site }) => <Link href={routes.settings.history({ site })}>{site}</Link>,
  { width: 110, narrow: "line", title: ({ site }) => site, sort: ({ site }) => site },
);

const standingColumn = column.cell(
  "standing",
  "Status",
  (line) => (
    <span className="tone" data-tone={line.mayDecide ? "attention" : "neutral"}>
      {changeStatus(line)}
    </span>
  ),
  { narrow: "line", title: changeStatus, sort: changeStatus },
);

const byColumn = column.cell("by", "Asked by", ({ own, askedBy }) => (own ? "you" : askedBy), {
  width: 130,
  narrow: "line",
  className: "text-quiet",
  title: ({ askedBy }) => askedBy,
  sort: ({ own, askedBy }) => (own ? "you" : askedBy),
});

const timeColumn = (label: "Expires" | "Asked"): TableColumn<PolicyChangeLine> =>
  column.time("time", label, ({ askedAt, validUntil }) => (label === "Asked" ? askedAt : validUntil), {
    width: 130,
    align: "end",
    narrow: "bottom-start",
    className: "text-quiet",
  });

const actsColumn = (onAsk: Parameters<typeof PolicyChangeActs>[0]["onAsk"]): TableColumn<PolicyChangeLine> =>
  column.acts(210, (line) => <PolicyChangeActs line={line} onAsk={onAsk} />, { narrow: "bottom-end" });

const overColumns = [whatColumn, siteColumn, standingColumn, byColumn, timeColumn("Asked")];
