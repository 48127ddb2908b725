// Runbooks in words, and what a name and traits may be.
import { formatCounted } from "@/components/ui/format/numbers";

/** Traits as they are typed, by commas or spaces; each once. Pure. */
export function traitsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((trait) => trait !== ""))];
}

/** "3 steps: deploy.erase_nvme, power.reboot and 1 more". Pure. */
export function stepsWords(
  steps: readonly { readonly interface: string; readonly step: string }[],
  most = 3,
): string {
  const names = steps.map((step) => `${step.interface}.${step.step}`);
  const left = names.length - most;
  return `${formatCounted(names.length, "step")}: ${names.slice(0, most).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}
