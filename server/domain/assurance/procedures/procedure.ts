// Manual procedures that a site's policy requires: what is done, what is recorded, and when (docs/assurance/README.md#procedures).
import { z } from "zod";
import { failureCauses } from "@/server/domain/lifecycle/states";

/** Replaces a step that overwrites memory (docs/adr/0102-approvals-and-procedures.md). */
export const fullAcDrain = "full-ac-drain";

/** Clears the TPM where neither BMC nor agent can. */
export const manualTpmClear = "manual-tpm-clear";

/** What a record needs besides its checklist and the serial number, which is always required. */
export const evidenceNeeds = ["photo", "log", "ticket"] as const;
export type EvidenceNeed = (typeof evidenceNeeds)[number];

export const answerKinds = ["yes", "text"] as const;

const shown = /^[^\p{Cc}\p{Cs}]*$/u;
const words = (most: number) =>
  z.string().trim().min(1).max(most).regex(shown, "must not have control characters");
const maxNames = 200;

export const procedureName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, "must be lower-case letters, digits and hyphens, up to 63");

const checklistItem = z.object({
  text: words(200),
  /** `yes`: a checkbox; `text`: a value to enter, such as a time or a voltage. */
  answer: z.enum(answerKinds).default("yes"),
});

export const procedure = z.object({
  name: procedureName,
  /** Increases when anything in the procedure changes. Records refer to it. */
  version: z.int().min(1).max(1_000_000).default(1),
  title: words(120),
  checklist: z.array(checklistItem).min(1).max(40),
  evidence: z.array(z.enum(evidenceNeeds)).max(evidenceNeeds.length).default([]),
  /** For how many days a record also counts for later reclamations of the host; null: only for its own. */
  reusableDays: z.int().min(1).max(3650).nullable().default(null),
  /** Any one of these makes the procedure due. */
  when: z.object({
    always: z.boolean().default(false),
    /** Names of SKUs. */
    skus: z.array(words(128)).max(maxNames).default([]),
    /** Organizations of tenants. */
    tenants: z.array(words(128)).max(maxNames).default([]),
    /** After a repair tenant had the host. */
    afterRepair: z.boolean().default(false),
    afterFailures: z.array(z.enum(failureCauses)).max(failureCauses.length).default([]),
  }),
});
export type Procedure = z.infer<typeof procedure>;

/** As people write one: unknown members are faults. Stored ones keep the members of other releases. */
export const typedProcedure = z.strictObject({
  ...procedure.shape,
  checklist: z.array(z.strictObject(checklistItem.shape)).min(1).max(40),
  when: z.strictObject(procedure.shape.when.shape),
});

const maxProcedures = 32;

function named(list: readonly Procedure[], context: z.RefinementCtx): void {
  list.forEach(({ name }, index) => {
    if (list.findIndex((other) => other.name === name) !== index)
      context.addIssue({ code: "custom", path: [index, "name"], message: `${name} is in the list twice` });
  });
}

export const procedures = z.array(procedure).max(maxProcedures).superRefine(named);
export const typedProcedures = z.array(typedProcedure).max(maxProcedures).superRefine(named);

const same = (left: Procedure, right: Procedure): boolean => JSON.stringify(left) === JSON.stringify(right);

/** The highest version that a procedure ever had; 0: it was never in a policy. Pure. */
export const highestVersion = (used: readonly Procedure[], name: string): number =>
  Math.max(0, ...used.filter((each) => each.name === name).map(({ version }) => version));

/** The first procedure whose text differs from the one recorded for its version or a later one; undefined: none. `used`: from all policies so far. Pure. */
export const unversioned = (used: readonly Procedure[], after: readonly Procedure[]): Procedure | undefined =>
  after.find(
    (next) => next.version <= highestVersion(used, next.name) && !used.some((each) => same(each, next)),
  );
