"use client";
// Begins and ends an online repair, and releases an instance after a failed one.
import { z } from "zod";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { healthIssue, issueCategories, issueLimits } from "@/server/domain/repair/health-issue";
import { onlineRepairIssue } from "@/server/domain/repair/online-repair";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

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

export const BeginRepairDialog = ({ row: { id, name }, ...rest }: RepairDialogProps) => (
  <ActFormDialog
    title={`Begin an online repair of ${name}?`}
    consequence="The tenant keeps the instance while the machine is repaired. Until the repair is ended the instance is Repairing, and cannot be released."
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
        hint: "stored as a label; Reclaim itself deletes nothing",
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

export const EndRepairDialog = ({ row: { id, name }, ...rest }: RepairDialogProps) => (
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
export const EscalateDialog = ({ row: { id, name, onlineRepair }, ...rest }: RepairDialogProps) => (
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
