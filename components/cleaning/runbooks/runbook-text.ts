// Labels for runbooks, and parsing of traits.
import { z } from "zod";
import { trait } from "@/server/domain/cleaning/plan/traits";
import { formatCounted } from "@/server/domain/numbers";

/** Typed traits, separated by commas or spaces, without duplicates. Pure. */
export function traitsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ""))];
}

/** A trait for a SKU's hosts, in the form of Ironic's custom traits: "CUSTOM_DELL_R750". Pure. */
export const traitOfSku = (sku: string): string => `CUSTOM_${sku.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;

/** Why the steps cannot be saved as a runbook; undefined if they can. */
export function runbookRefusal(
  { mayWriteRunbooks }: { readonly mayWriteRunbooks: boolean },
  steps: readonly unknown[],
  faults: readonly unknown[],
): string | undefined {
  if (!mayWriteRunbooks) return "Your role may not write runbooks";
  if (steps.length === 0) return "Add a step first";
  return faults.length > 0 ? "A step is incomplete" : undefined;
}

/** Parses a text into a list of traits. */
export const traitText = z.string().transform((text, context): string[] => {
  const typed = traitsOf(text);
  for (const name of typed) {
    const complaint = trait.safeParse(name).error?.issues[0]?.message;
    if (complaint === undefined) continue;
    context.addIssue({ code: "custom", message: `${name} is not a trait: ${complaint}` });
    return z.NEVER;
  }
  return typed;
});

/** "3 steps: deploy.erase_nvme, power.reboot and 1 more". Pure. */
export function formatSteps(
  steps: readonly { readonly interface: string; readonly step: string }[],
  most = 3,
): string {
  const names = steps.map((step) => `${step.interface}.${step.step}`);
  const left = names.length - most;
  return `${formatCounted(names.length, "step")}: ${names.slice(0, most).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
