// The erase policy of a site, and what another policy would change.
import { z } from "zod";
import { policy } from "@/server/domain/cleaning/policy";
import { requiredGates } from "@/server/domain/cleaning/foresight/gates";
import { policyForesight } from "@/server/contract/answers/foresight";
import { siteDocument, skuEntry } from "@/server/domain/site/document";
import { act, read, reason, record, siteId } from "@/server/contract/define";

const { sanitization, admission, automatedClean, validationTests } = policy.shape;
const { techniques, fallback } = sanitization.shape.erase.shape;

/** Standard, minimum levels and techniques; samples, markers and excluded media stay as they are. */
export const eraseSettings = z.strictObject({
  standard: sanitization.shape.standard,
  minimum: z.strictObject(sanitization.shape.minimum.shape),
  techniques,
  fallback,
});
export type EraseSettings = z.infer<typeof eraseSettings>;

/** Another policy of a site. */
const policyQuestion = z.strictObject({
  siteId,
  /** What is left out stays as it is. */
  erase: eraseSettings.optional(),
  automatedClean: automatedClean.optional(),
  validationTests: validationTests.optional(),
  atWork: admission.shape.atWork.optional(),
  /** All limits. */
  admission: admission.optional(),
  /** Gates that the site begins or ceases to require. */
  requires: z.partialRecord(z.enum(requiredGates), z.boolean()).optional(),
  /** The whole policy, over which the others are laid. */
  policy: siteDocument.shape.policy.optional(),
  /** Of the site: `interface.step` and its number. */
  priorities: skuEntry.shape.priorities.optional(),
});
export type PolicyQuestion = z.infer<typeof policyQuestion>;

export const policyOperations = {
  preview: read({
    title: "what another policy would change: known drives that cannot meet it, and recorded reclamations",
    right: "cleaning.read",
    input: policyQuestion,
    output: policyForesight,
  }),
  setErase: act({
    title: "sets the standard, minimum levels and techniques for erasing drives at a site",
    right: "cleaning.override",
    action: "site.setErase",
    input: z.strictObject({
      siteId,
      erase: eraseSettings,
      /** The version that the person saw: refused when there is another by now. */
      policyVersion: z.int().min(1).optional(),
      reason,
    }),
    output: record({ policyVersion: z.number() }),
  }),
};
