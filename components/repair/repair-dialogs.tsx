"use client";
// A repair tenant's acts on a host: claim it, note the status of its repair, and release it.
import { z } from "zod";
import { issueSpecs, noIssue, releaseIssue } from "@/components/instances/issue-fields";
import { ShownError } from "@/components/trpc/query-client";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { instanceName } from "@/server/domain/instances/own-text";
import { hostLabelValue } from "@/server/domain/hosts/labels/host-labels";
import { notedOutcomes } from "@/server/domain/repair/repairs";
import type { HeldRow, QueueRow } from "@/server/surfaces/trpc/types";

interface Closing {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const claimSchema = z.object({
  name: z.string().refine((text) => instanceName.safeParse(text).success, "Enter a name for the instance"),
});

export const ClaimDialog = ({
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

export const OutcomeDialog = ({ row, ...rest }: { readonly row: HeldRow } & Closing) => (
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

export const ReleaseRepairDialog = ({ row, ...rest }: { readonly row: HeldRow } & Closing) => (
  <ActFormDialog
    title={`Release ${row.host} from repair?`}
    consequence={({ category }) => (
      <>
        <p>
          The host is shut off from your network, and everything on its drives is erased. This cannot be
          undone.
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
