"use client";
// Approve, reject and withdraw buttons of a site change; empty if this user may do none of it.
import { useQuery } from "@tanstack/react-query";
import { ApprovalActs, useApprovalDialog, type StartedAct } from "@/components/assurance/approval-acts";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { PolicyChangeFacts } from "@/components/assurance/policy-changes/policy-change-facts";
import { changeName } from "@/components/assurance/policy-changes/policy-change-text";
import { effectOf, type ShownEffect } from "@/components/cleaning/policy/effect";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { useTRPC } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";

type OnAsk = (started: StartedAct<PolicyChangeLine>) => void;

export const PolicyChangeActs = (props: { readonly line: PolicyChangeLine; readonly onAsk: OnAsk }) => (
  <ApprovalActs {...props} words={changeName(props.line)} />
);

export const usePolicyChangeDialog = (onDone: () => void) =>
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
