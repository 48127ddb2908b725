"use client";
// Approve, reject and withdraw buttons of a site change; empty if this user may do none of it.
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { PolicyChangeFacts } from "@/components/assurance/policy-changes/policy-change-facts";
import { changeName } from "@/components/assurance/policy-changes/policy-change-text";
import { effectOf, type ShownEffect } from "@/components/cleaning/policy/effect";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";

type Act = "approved" | "rejected" | "withdraw";

interface Asked {
  readonly act: Act;
  readonly line: PolicyChangeLine;
}

interface PolicyChangeActsProps {
  readonly line: PolicyChangeLine;
  readonly onAsk: (asked: Asked) => void;
}

export function PolicyChangeActs({ line, onAsk }: PolicyChangeActsProps) {
  const words = changeName(line);
  const button = (act: Act, label: string) => (
    <Button small onClick={() => onAsk({ act, line })} aria-label={`${label} ${words}`}>
      {label}
    </Button>
  );
  return (
    <span className="row-acts">
      {line.mayDecide ? button("approved", "Approve…") : null}
      {line.mayDecide ? button("rejected", "Reject…") : null}
      {line.mayWithdraw ? button("withdraw", "Withdraw…") : null}
    </span>
  );
}

/** Rendered beside the list, not in the row, so that a refusal stays readable if the row disappears. */
export function usePolicyChangeDialog(onDone: () => void): {
  readonly ask: (asked: Asked) => void;
  readonly dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked>();
  const dialog =
    asked === undefined ? null : (
      <PolicyChangeDialog {...asked} onClose={() => setAsked(undefined)} onDone={onDone} />
    );
  return { ask: setAsked, dialog };
}

interface DialogProps extends Asked {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function PolicyChangeDialog({ act, ...rest }: DialogProps) {
  return act === "withdraw" ? <WithdrawDialog {...rest} /> : <DecidePolicyChange decision={act} {...rest} />;
}

interface DecideProps extends Omit<DialogProps, "act"> {
  readonly decision: Exclude<Act, "withdraw">;
}

function DecidePolicyChange({ decision, line, ...rest }: DecideProps) {
  const me = useMe();
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
      me={me.name}
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
