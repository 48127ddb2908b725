// Labels for site changes that need two people. Pure.
import { confirmedText } from "@/server/domain/access/passkeys";
import { formatSetting } from "@/server/domain/sites/setting-fields";
import type { AskingAction } from "@/server/domain/sites/two-people";
import { formatCounted } from "@/components/ui/format/numbers";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";

const actText: Record<AskingAction, string> = {
  "site.apply": "Settings",
  "site.setErase": "Erase policy",
  "site.setAdmission": "Admission limits",
  "site.setAutomatedClean": "Automated cleaning",
  "host.setAutomatedClean": "Automated cleaning of a host",
  "procedure.save": "Procedure",
  "procedure.remove": "Remove procedure",
  "override.save": "Priority of a step",
  "override.remove": "Priority of a step",
  "image.add": "Agent image",
  "sku.create": "New SKU",
  "sku.createFromHost": "New SKU",
  "sku.change": "SKU",
  "sku.captureBaseline": "Baseline of a SKU",
  "sku.remove": "Delete SKU",
};
const actLabels: Readonly<Record<string, string>> = actText;

type Line = Pick<PolicyChangeLine, "action" | "changes" | "site">;

/** What is changed: the name of a single setting, or the number of settings. */
export function changeTitle({ action, changes }: Line): string {
  const what = actLabels[action] ?? action;
  const [first, ...more] = changes;
  return first === undefined || more.length > 0
    ? `${what}: ${formatCounted(changes.length, "change")}`
    : `${what}: ${formatSetting(first.path)}`;
}

/** The same with its site. */
export const changeName = (line: Line): string => `${changeTitle(line)}, site ${line.site}`;

const because = (reason: string | null): string => (reason === null || reason === "" ? "" : `: ${reason}`);

/** The status, who decided, and why it was voided. */
export function changeStatus(
  line: Pick<
    PolicyChangeLine,
    "decision" | "decidedBy" | "decidedWith" | "decidedReason" | "voided" | "own" | "version"
  >,
): string {
  if (line.decision === "approved")
    return `approved by ${line.decidedBy ?? "nobody"}${confirmedText(line.decidedWith)}, version ${line.version ?? "unknown"}`;
  if (line.decision === "rejected")
    return `rejected by ${line.decidedBy ?? "nobody"}${confirmedText(line.decidedWith)}${because(line.decidedReason)}`;
  if (line.voided !== null) return `void${because(line.voided)}`;
  return line.own ? "waiting for another provider admin" : "waiting for a decision";
}
