// An entry of a timeline in words.
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import { securityEventKinds } from "@/server/domain/access/security-events/kinds";
import type { SecurityEventKind } from "@/server/domain/access/security-events/kinds";
import type { TimelineKind } from "@/server/domain/assurance/proof/timeline";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `host.setMaintenance` → "Host: set maintenance". */
function actionWords(action: string): string {
  const [noun = action, verb = ""] = action.split(".");
  const spaced = (text: string) => text.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return verb === "" ? capital(noun) : `${capital(spaced(noun))}: ${spaced(verb)}`;
}

const subjects: Readonly<Record<string, string>> = {
  signOff: "a sign-off",
  exception: "an exception",
  disposition: "a statement about a drive",
  policyChange: "a change of policy",
  rollout: "a firmware rollout",
};
const decisions: Readonly<Record<string, string>> = {
  asked: "Asked for",
  approved: "Approved",
  rejected: "Rejected",
  voided: "No longer holds:",
};

function approvalWords(what: string): string {
  const [decision = "", subject = ""] = what.split(":");
  return `${decisions[decision] ?? capital(decision)} ${subjects[subject] ?? subject}`;
}

const certificateNames: Readonly<Record<string, string>> = {
  "certificate:certificate": "Certificate",
  "certificate:withExceptions": "Certificate with exceptions",
  "certificate:nonConformance": "Record of non-conformance",
  "certificate:demo": "Certificate of a demo site, which certifies nothing",
};

function certificateWords(what: string, number: string | null): string {
  const name =
    certificateNames[what] ?? (what.startsWith("receipt:") ? "Receipt" : "Statement of another release");
  return number === null ? `${name} made, not signed yet` : `${name} ${number} signed`;
}

function stateWords(what: string): string {
  return describeState(storedState(what)).label;
}

function driveWords(what: string, detail: string | null): string {
  switch (what) {
    case "in":
      return detail === null ? "Found in a host" : `Found in a host, ${detail}`;
    case "out":
      return "No longer found in the host";
    case "sanitized":
      return `Erased and verified: ${detail ?? ""}`;
    case "stated": {
      const [kind = "", ...reason] = (detail ?? "").split(": ");
      const known = dispositionKinds.find((each) => each === kind);
      return `Stated: ${known === undefined ? kind : dispositionTable[known].words}: ${reason.join(": ")}`;
    }
    default:
      return `Erase failed: ${detail ?? ""}`;
  }
}

const isSecurityKind = (what: string): what is SecurityEventKind => Object.hasOwn(securityEventKinds, what);

const securityWords = (what: string): string =>
  isSecurityKind(what) ? securityEventKinds[what].title.toLowerCase() : what;

const instanceWords: Readonly<Record<string, string>> = {
  created: "Instance created",
  released: "Instance released",
  ended: "Instance ended, its network is taken back",
};

const withDetail = (words: string, detail: string | null): string =>
  detail === null || detail === "" ? words : `${words}: ${detail}`;

/** Pure. */
export function timelineWords(kind: TimelineKind, what: string, detail: string | null): string {
  switch (kind) {
    case "state":
      return withDetail(stateWords(what), detail);
    case "act":
      return withDetail(actionWords(what), detail);
    case "approval":
      return withDetail(approvalWords(what), detail);
    case "certificate":
      return certificateWords(what, detail);
    case "drive":
      return driveWords(what, detail);
    case "instance":
      return withDetail(instanceWords[what] ?? what, detail);
    case "security":
      return withDetail(`Security event: ${securityWords(what)}`, detail);
  }
}
