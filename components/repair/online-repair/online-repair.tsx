"use client";
// An instance's online repair in progress, and what this user can do about it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time/time";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { healthIssue, issueCategories, issueLimits } from "@/server/domain/repair/health-issue";
import { onlineRepairIssue } from "@/server/domain/repair/online-repair";

// Begins and ends an online repair, and releases an instance after a failed one.
interface RepairDialogProps {
  readonly row: InstanceRow;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const typed = (missing: string, rule: z.ZodType<string>) =>
  z.string().superRefine((text, context) => {
    const read = rule.safeParse(text);
    if (read.success) return;
    context.addIssue({
      code: "custom",
      message: text.trim() === "" ? missing : (read.error.issues[0]?.message ?? missing),
    });
  });

const issueRules = {
  category: z.enum(issueCategories, { error: "Choose what is wrong" }),
  summary: typed("Enter a summary of what is wrong", healthIssue.shape.summary),
};
const issueChoices = [
  { value: "", label: "Choose" },
  ...issueCategories.map((category) => ({ value: category, label: category })),
];
const issueSpecs = {
  category: { label: "What is wrong", options: issueChoices },
  summary: { label: "Summary", maxLength: issueLimits.summary },
  details: { label: "Details", rows: 2, maxLength: issueLimits.details },
};

const known = (words: string) => z.boolean().refine((checked) => checked, words);

const beginSchema = z.object({
  ...issueRules,
  details: typed("Enter the details", onlineRepairIssue.shape.details),
  deletion: z.enum(["no", "yes"], {
    error: "Choose whether the instance may be deleted if the repair fails",
  }),
  data: known("Acknowledge that data may be corrupted"),
  access: known("Acknowledge that the repair team gets access"),
  loss: known("Acknowledge that the instance may be lost"),
});

const deletionChoices = [
  { value: "", label: "Choose" },
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
];

const BeginRepairDialog = ({ row: { id, name }, ...rest }: RepairDialogProps) => (
  <ActFormDialog
    title={`Begin an online repair of ${name}?`}
    consequence="The instance stays with its tenant while the machine is repaired. Until the repair is ended the instance is Repairing, and cannot be released."
    confirmWords="Begin online repair"
    schema={beginSchema}
    values={{
      ...{ category: "", summary: "", details: "", deletion: "" },
      ...{ data: false, access: false, loss: false },
    }}
    fields={{
      category: issueSpecs.category,
      summary: { ...issueSpecs.summary, hint: "shown to the tenant" },
      details: { ...issueSpecs.details, hint: "for the repair team; also shown to the tenant" },
      deletion: {
        label: "May the instance be deleted if the repair fails?",
        hint: "a note for the repair team; nothing is deleted by itself",
        options: deletionChoices,
      },
      data: { label: "The repair may corrupt data on the machine" },
      access: { label: "The repair team gets access to the machine" },
      loss: { label: "The instance may be lost" },
    }}
    send={({ category, summary, details, deletion }, client) =>
      client.instances.beginRepair.mutate({
        instanceId: id,
        issue: { category, summary, details },
        allowAutoInstanceDeletionOnFailure: deletion === "yes",
        // The schema requires all of them.
        acknowledgments: {
          acceptDataCorruptionRisk: true,
          acceptRepairTeamAccess: true,
          acceptInstanceDeletionRisk: true,
        },
      })
    }
    said={`Online repair of ${name} started`}
    {...rest}
  />
);

const EndRepairDialog = ({ row: { id, name }, ...rest }: RepairDialogProps) => (
  <ActDialog
    title={`End the online repair of ${name}?`}
    consequence="The instance is Ready again, and can be released. End it when the machine is repaired, or will not be repaired now."
    confirmWords="End online repair"
    send={(_, client) => client.instances.endRepair.mutate({ instanceId: id })}
    said={`Online repair of ${name} ended`}
    {...rest}
  />
);

const escalateSchema = z.object({
  failureReason: z.string().trim().max(255, "At most 255 characters"),
  ...issueRules,
  details: typed("", healthIssue.shape.details),
});

/** Prefilled with the issue that the repair was for. */
const EscalateDialog = ({ row: { id, name, onlineRepair }, ...rest }: RepairDialogProps) => (
  <ActFormDialog
    title={`Escalate ${name} to a full repair?`}
    consequence="The online repair is ended and the instance released: the machine is shut off from the tenant’s network, and everything on its drives is erased. Nobody gets the machine until it has been checked. This cannot be undone."
    confirmWords={`Release ${name}`}
    typeName={name}
    schema={escalateSchema}
    values={{
      failureReason: "",
      category: String(onlineRepair.active?.issue?.category ?? ""),
      summary: onlineRepair.active?.issue?.summary ?? "",
      details: onlineRepair.active?.issue?.details ?? "",
    }}
    fields={{
      failureReason: {
        label: "Why the online repair failed",
        aside: "optional",
        hint: "stored as a label of the instance; empty: the summary",
        maxLength: 255,
      },
      ...issueSpecs,
      details: { ...issueSpecs.details, aside: "optional" },
    }}
    send={({ failureReason, ...issue }, client) =>
      client.instances.escalateRepair.mutate({
        instanceId: id,
        issue,
        ...(failureReason === "" ? {} : { failureReason }),
      })
    }
    said={`Release of ${name} accepted`}
    {...rest}
  />
);

const dialogs = { begin: BeginRepairDialog, end: EndRepairDialog, escalate: EscalateDialog } as const;

const choiceText = (allowed: boolean | null): string =>
  allowed === null
    ? "Whether the instance may be deleted if the repair fails was not specified."
    : `If the repair fails, the instance ${allowed ? "may" : "must not"} be deleted.`;

function Standing({ active }: { active: NonNullable<InstanceRow["onlineRepair"]["active"]> }) {
  const { since, issue, allowDeletion } = active;
  return (
    <>
      <p>
        <b className="text-medium">Online repair</b> since <Time at={since} />
        {issue === null ? "; started by the provider." : `: ${issue.category}, ${issue.summary}`}
      </p>
      {issue === null || issue.details === "" ? null : <p>{issue.details}</p>}
      <p className="text-quiet">{choiceText(allowDeletion)}</p>
    </>
  );
}

/** Empty for a released instance. */
export function OnlineRepair({ row }: { row: InstanceRow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const { active, allowed, reason } = row.onlineRepair;
  if (row.endedAt !== null || row.releaseRequestedAt !== null) return null;
  const button = (name: keyof typeof dialogs, words: string) => (
    <Button
      small
      onClick={() => setOpen(name)}
      disabledReason={allowed ? undefined : (reason ?? "It is not possible now")}
      aria-label={`${words} ${row.name}`}
    >
      {words}
    </Button>
  );
  const Asking = open === null ? null : dialogs[open];
  return (
    <>
      {active === null ? null : <Standing active={active} />}
      <p>
        {active === null ? button("begin", "Begin online repair…") : button("end", "End online repair…")}{" "}
        {active === null ? null : button("escalate", "Escalate…")}
      </p>
      {Asking === null ? null : (
        <Asking
          row={row}
          onClose={() => setOpen(null)}
          onDone={() => void queryClient.invalidateQueries({ queryKey: trpc.instances.pathKey() })}
        />
      )}
    </>
  );
}

const refreshMs = 2_000;

/** The same for the instance on a host, shown to provider users. */
export function HostOnlineRepair({ hostId, instanceId }: { hostId: string; instanceId: string }) {
  const instance = useQuery(useTRPC().instances.get.queryOptions({ id: instanceId }));
  useLiveRefresh(() => instance.refetch(), { hostId, everyMs: refreshMs });
  if (instance.isError)
    return <ProblemNotice error={instance.error} before="The instance could not be read." />;
  return instance.data === undefined ? <Skeleton rows={2} /> : <OnlineRepair row={instance.data} />;
}
