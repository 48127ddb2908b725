"use client";
// The decision of another person on a firmware rollout (docs/adr/0148-firmware-rollouts.md).
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { useTRPC } from "@/components/trpc/trpc";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Notice } from "@/components/ui/notice";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import type { RolloutLine } from "@/server/surfaces/trpc/types";

/** Why this person cannot decide, or the buttons for it. */
export function RolloutApproval({ line }: { readonly line: RolloutLine }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(trpc.approvals.list.queryOptions({ kind: "rollout", limit: 200 }));
  const asked = data?.items.find(({ id }) => id === line.approvalId);
  const again = () => {
    for (const noun of [trpc.rollouts, trpc.approvals])
      void queryClient.invalidateQueries({ queryKey: noun.pathKey() });
  };
  const button = (decision: Decision, label: string) =>
    asked === undefined ? null : (
      <DialogButton
        dialog={(onClose) => (
          <DecideDialog
            decision={decision}
            item={{ id: asked.id, evidence: asked.evidence, words: asked.subject }}
            about="rollout"
            shows={<Files line={line} />}
            askedBy={asked.askedBy}
            onClose={onClose}
            onDone={again}
          />
        )}
      >
        {label}
      </DialogButton>
    );
  return (
    <Notice
      tone="waiting"
      act={
        asked?.mayDecide === true ? (
          <span className="row-acts">
            {button("approved", "Approve…")}
            {button("rejected", "Reject…")}
          </span>
        ) : undefined
      }
    >
      It waits for another person&rsquo;s approval. Until then no host takes the new firmware.
      {asked?.own === true ? " You asked for it, so you cannot approve it." : ""}
    </Notice>
  );
}

/** What the request does not say in its title. */
const Files = ({ line }: { readonly line: RolloutLine }) => (
  <ul>
    {line.components.map(({ component, from, to, url, checksum }) => (
      <li key={component}>
        {component} {from} → {to}, from <span className="mono">{url}</span>, SHA-256{" "}
        <span className="mono text-small">{checksum}</span>
      </li>
    ))}
  </ul>
);
