// A row of a node's history in Ironic's terms: one line of text, and its event type.
import { cleanFailures, causeOf, isState, topLevel } from "@/server/domain/lifecycle/states";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import type { HistoryRow } from "@/server/usecases/hosts/nodes/reading/node-history";

const ofState: Readonly<Record<string, string>> = {
  Enroll: "verify",
  Verifying: "verify",
  Manageable: "provisioning",
  Ready: "provisioning",
  ForceDeletion: "provisioning",
};
const unprovision: ReadonlySet<string> = new Set([
  "Assigned/BootingWithDiscoveryImage",
  "Assigned/SwitchToAdminNetwork",
  "Assigned/WaitingForNetworkReconfig",
]);
const cleanCauses: ReadonlySet<FailureCause> = new Set<FailureCause>(cleanFailures);

function stateType(state: string): string {
  if (!isState(state)) return "provisioning";
  const cause = causeOf(state);
  if (cause !== null) return cleanCauses.has(cause) ? "cleaning" : "provisioning";
  if (unprovision.has(state)) return "unprovision";
  return ofState[topLevel(state)] ?? (topLevel(state) === "Assigned" ? "provisioning" : "cleaning");
}

const verbTypes: Readonly<Record<string, string>> = {
  "host.manage": "provisioning",
  "host.provide": "provisioning",
  "host.enroll": "provisioning",
  "host.delete": "provisioning",
  "host.powerOn": "power",
  "host.powerOff": "power",
  "host.reboot": "power",
  "host.softPowerOff": "power",
  "host.softReboot": "power",
  "host.injectNmi": "power",
  "host.setBoot": "settings",
  "host.skipEraseWait": "power",
  "host.askNetwork": "provisioning",
  "host.setMaintenance": "maintenance",
  "host.clearMaintenance": "maintenance",
  "host.confirmUntouched": "maintenance",
  "host.recheck": "maintenance",
  "host.clean": "cleaning",
  "host.abort": "cleaning",
  "host.hold": "cleaning",
  "host.resume": "cleaning",
  "host.retry": "cleaning",
  "host.restart": "cleaning",
};

/** Ironic's `event_type`. */
export function eventType({ kind, what }: Pick<HistoryRow, "kind" | "what">): string {
  if (kind === "step") return "cleaning";
  return kind === "state" ? stateType(what) : (verbTypes[what] ?? "settings");
}

const secondsOf = (seconds: number | null): string => `${Math.max(0, seconds ?? 0).toFixed(1)} s`;

/** Ironic 1.115 has fields for these facts; older versions get them in the text. */
function stepEvent({ what, status, attempt, most_attempts: most, seconds, message }: HistoryRow): string {
  const tries = (attempt ?? 1) > 1 ? ` in attempt ${attempt}` : "";
  const said = message === null ? "" : `: ${message}`;
  switch (status) {
    case "succeeded":
      return `Clean step ${what} succeeded after ${secondsOf(seconds)}${tries}${said}`;
    case "failed":
      return `Clean step ${what} failed after ${secondsOf(seconds)}${tries}${said}`;
    case "excepted":
      return `Clean step ${what} was excepted after ${secondsOf(seconds)}${said}`;
    default:
      return `Clean step ${what} has been running for ${secondsOf(seconds)}, attempt ${attempt ?? 1} of ${most ?? 1}${said}`;
  }
}

/** The complete text. */
export function formatEvent(row: HistoryRow): string {
  if (row.kind === "step") return stepEvent(row);
  if (row.kind === "state")
    return row.message === null ? `Entered ${row.what}` : `Entered ${row.what}: ${row.message}`;
  return `${row.what} requested${row.user_name === null ? "" : ` by ${row.user_name}`}`;
}

const longest = 255;

/** Truncated as Ironic does it. */
export const shortEvent = (event: string): string =>
  event.length <= longest ? event : `${event.slice(0, 251)}...`;
