// The erase policy of a site, and what a different policy would change.
import { z } from "zod";
import { policy } from "@/server/domain/cleaning/policy/policy";
import { requiredGates } from "@/server/domain/cleaning/policy/gates-effect";
import { policyEffects } from "@/server/contract/cleaning/policy-effects";
import { siteDocument, skuEntry } from "@/server/domain/sites/document";
import { act, read, reason, record, siteId } from "@/server/contract/define";

const { sanitization, admission, automatedClean, validationTests } = policy.shape;
const { techniques, fallback } = sanitization.shape.erase.shape;

/** Standard, minimum levels and techniques; samples, markers and excluded media are not changed. */
export const eraseSettings = z.strictObject({
  standard: sanitization.shape.standard,
  minimum: z.strictObject(sanitization.shape.minimum.shape),
  techniques,
  fallback,
});
export type EraseSettings = z.infer<typeof eraseSettings>;

/** A different policy for a site. */
const policyQuestion = z.strictObject({
  siteId,
  /** Omitted members stay as they are. */
  erase: eraseSettings.optional(),
  automatedClean: automatedClean.optional(),
  validationTests: validationTests.optional(),
  atWork: admission.shape.atWork.optional(),
  /** All limits. */
  admission: admission.optional(),
  /** Gates that the site would start or stop requiring. */
  requires: z.partialRecord(z.enum(requiredGates), z.boolean()).optional(),
  /** The whole policy; the other members are applied on top. */
  policy: siteDocument.shape.policy.optional(),
  /** The site's priorities: `interface.step` and the number. */
  priorities: skuEntry.shape.priorities.optional(),
});
export type PolicyQuestion = z.infer<typeof policyQuestion>;

export const policyOperations = {
  preview: read({
    title: "what another policy would change: known drives that cannot meet it, and recorded reclamations",
    right: "cleaning.read",
    input: policyQuestion,
    output: policyEffects,
  }),
  setErase: act({
    title: "sets the standard, minimum levels and techniques for erasing drives at a site",
    right: "cleaning.override",
    action: "site.setErase",
    input: z.strictObject({
      siteId,
      erase: eraseSettings,
      /** The version that the person saw; refused if there is a newer one. */
      policyVersion: z.int().min(1).optional(),
      reason,
    }),
    output: record({ policyVersion: z.number() }),
  }),
};
