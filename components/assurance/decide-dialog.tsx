"use client";
// Approves, signs off or rejects another person's request, confirmed with a passkey or the password.
// One request at a time, so the decision applies to exactly what was opened.
import { z } from "zod";
import type { ReactNode } from "react";
import { useConfirm } from "@/components/access/use-passkey";
import { useMe } from "@/components/frame/me";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import type { Decision } from "@/server/domain/assurance/approvals/approval";

export interface Decided {
  readonly id: string;
  readonly evidence: string;
  /** A label: what is decided on, and for which host. */
  readonly words: string;
}

interface DecideDialogProps {
  readonly decision: Decision;
  readonly item: Decided;
  readonly about?: keyof typeof consequences;
  /** Full details of what is decided on, for anything the list does not show. */
  readonly shows?: ReactNode;
  /** Why that is not complete yet; until then nothing can be decided. */
  readonly calculating?: string | undefined;
  /** Who recorded or requested it. */
  readonly askedBy: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The act's label, and its past tense for the toast. */
const signOff = { act: "Sign off", done: "Signed off" };

const consequences = {
  record: {
    ...signOff,
    asked: "recorded it",
    approved:
      "Once everything is signed off, the host is booted and checked again, and becomes Ready if all gates are satisfied. A host that a repair tenant holds continues after its release. A sign-off cannot be undone.",
    rejected: "The procedure must be done and recorded again.",
  },
  disposition: {
    ...signOff,
    asked: "recorded it",
    approved:
      "The disposition then accounts for the drive. If the drive turns up in any host, it must be erased there. A sign-off cannot be undone, but the disposition of a drive can be withdrawn. A host whose parts changed is compared with the new ones from now on.",
    rejected:
      "The drive stays owed, and a host with changed parts stays out of allocation. The disposition can be recorded again.",
  },
  policyChange: {
    act: "Approve",
    done: "Approved",
    asked: "asked for it",
    approved:
      "The change is made at once, as a version of the site with both names. Reclamations in progress keep the policy they started with. An approval cannot be undone; restoring an earlier version also needs approval.",
    rejected: "The site stays as it is. The change can be asked for again.",
  },
  rollout: {
    act: "Approve",
    done: "Approved",
    asked: "asked for it",
    approved:
      "From then on hosts of the SKU take the new firmware when they are cleaned, as far as the open stage allows. An approval cannot be undone, but the rollout can be paused and aborted.",
    rejected: "No host takes the new firmware. The rollout can be requested again.",
  },
  bundle: {
    act: "Approve",
    done: "Approved",
    asked: "asked for it",
    approved:
      "From then on every host of the hardware that measures these values counts as measured, and hosts that wait for it go on. An approval cannot be undone, but the bundle can be retired and revoked.",
    rejected: "No host counts as measured by it. The bundle can be requested again.",
  },
  exception: {
    act: "Approve",
    done: "Approved",
    asked: "asked for it",
    approved:
      "The host may then become Ready although this is not proven; the certificate says so. When the exception expires, the host leaves allocation and is cleaned again. An approval cannot be undone, but the exception can be withdrawn.",
    rejected: "The host stays stopped. The exception can be asked for again.",
  },
};

const schemaOf = (decision: Decision, asksPassword: boolean) =>
  z.object({
    reason: z
      .string()
      .trim()
      .min(decision === "approved" ? 0 : 1, "Enter a reason")
      .max(500),
    password: asksPassword ? z.string().min(1, "Enter your password") : z.string(),
  });

export function DecideDialog({
  decision,
  item,
  about = "record",
  shows,
  calculating,
  askedBy,
  ...rest
}: DecideDialogProps) {
  const me = useMe();
  const { method, missing, given } = useConfirm();
  const isApproval = decision === "approved";
  const { act, done } = isApproval ? consequences[about] : { act: "Reject", done: "Rejected" };
  return (
    <ActFormDialog
      title={`${act} ${item.words}?`}
      consequence={
        <>
          <p>{`You decide as ${me.name}; ${askedBy} ${consequences[about].asked}. ${consequences[about][decision]}`}</p>
          {shows}
        </>
      }
      confirmWords={act}
      schema={schemaOf(decision, method === "password")}
      values={{ reason: "", password: "" }}
      fields={{
        reason: { ...reasonField(), aside: isApproval ? "optional" : undefined },
        password:
          method === "passkey" ? (
            <p className="text-quiet">Your browser asks for your passkey.</p>
          ) : method === "password" ? (
            {
              label: "Your password, again",
              type: "password",
              autoComplete: "current-password",
              autoFocus: true,
            }
          ) : null,
      }}
      missing={calculating ?? missing}
      send={async ({ reason, password }, client) => {
        const decided = { approvals: [{ id: item.id, evidence: item.evidence }], decision };
        const confirmed = await given({ purpose: "decide", ...decided }, password);
        return client.approvals.decide.mutate({ ...decided, reason, ...confirmed });
      }}
      said={`${done}: ${item.words}`}
      {...rest}
    />
  );
}
