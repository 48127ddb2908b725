"use client";
// A repair tenant's acts on a host: claim it, note the outcome of its repair, and release it. Each says whether a request stands and what will happen.
import { z } from "zod";
import { ownText } from "@/components/instances/instance-form";
import { issueSpecs, noIssue, releaseIssue } from "@/components/instances/issue-fields";
import { ShownError } from "@/components/trpc/query-client";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { hostLabelValue } from "@/server/domain/hosts/labels/host-labels";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import { claimEffect, outcomeEffect, releaseEffect } from "@/server/domain/repair/effects";
import type { StandingRequest } from "@/server/domain/repair/effects";
import { notedOutcomes, repairNote } from "@/server/domain/repair/repairs";
import type { HeldRow, QueueRow } from "@/server/surfaces/trpc/types";

interface Closing {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const claimSchema = z.object({ name: ownText.name });
/** A host with what is known of the request for its repair. */
export type Claimed = Pick<QueueRow, "host" | "hostId"> & StandingRequest;

/** Set off where no request stands, because the repair would then not end. */
const Standing = ({ request, children }: { request: StandingRequest; children: string }) =>
  request.requested ? (
    <p>{children}</p>
  ) : (
    <p className="tone" data-tone="attention">
      {children}
    </p>
  );

export const ClaimDialog = ({
  host: { host, hostId, ...request },
  ...rest
}: { readonly host: Claimed } & Closing) => (
  <ActFormDialog
    title={`Claim ${host} for repair?`}
    consequence={
      <>
        <p>
          The host is clean; it boots your image on your network. Its label <code>repair_status</code> becomes
          InProgress, and the ticket and summary of an earlier repair are removed. Nobody else gets it until
          you release it.
        </p>
        <Standing request={request}>{claimEffect(request)}</Standing>
      </>
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

const labelledOutcome = (outcome: string) => repairNote({ [repairStatusLabel]: outcome }).outcome;

const outcomeOf = ({ outcome }: HeldRow) =>
  outcome === "completed" ? "Completed" : outcome === "failed" ? "Failed" : "InProgress";

export const OutcomeDialog = ({ row, ...rest }: { readonly row: HeldRow } & Closing) => (
  <ActFormDialog
    title={`Outcome of ${row.host}`}
    consequence={({ outcome }) => (
      <Standing request={row}>{outcomeEffect(row, labelledOutcome(outcome))}</Standing>
    )}
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

export const ReleaseRepairDialog = ({ row, ...rest }: { readonly row: HeldRow } & Closing) => (
  <ActFormDialog
    title={`Release ${row.host} from repair?`}
    consequence={({ category }) => (
      <>
        <p>
          The host is shut off from the network of the repair tenant, and everything on its drives is erased.
          This cannot be undone.
        </p>
        <Standing request={row}>{releaseEffect(row, row.outcome, category !== "")}</Standing>
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
