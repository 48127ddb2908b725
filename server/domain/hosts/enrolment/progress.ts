// The stage of each host of an enrolment, and what a person can do about one that does not proceed.
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { isStopped } from "@/server/domain/lifecycle/intents";

/** In display order: those that need a person first. */
export const enrolmentStages = [
  "refused",
  "stopped",
  "confirm",
  "verifying",
  "cleaning",
  "done",
  "gone",
] as const;
export type EnrolmentStage = (typeof enrolmentStages)[number];

export const enrolmentGoals = ["ready", "manageable", "enrolled"] as const;
/** How far an enrolment takes its hosts without a person. */
export type EnrolmentGoal = (typeof enrolmentGoals)[number];

export const isGoal = (text: string): text is EnrolmentGoal => enrolmentGoals.some((goal) => goal === text);

/** If nobody said in advance which machine it must be: `confirm`: a person checks what the BMC reports about itself. `accept`: it is accepted. */
export const firstContacts = ["confirm", "accept"] as const;
export type FirstContact = (typeof firstContacts)[number];

export const isFirstContact = (text: string): text is FirstContact =>
  firstContacts.some((word) => word === text);

export interface LineFacts {
  /** False: its line has faults. */
  readonly enrolled: boolean;
  readonly goal: EnrolmentGoal;
  /** Null: the host was deleted. */
  readonly state: StoredState | null;
  /** It has been Ready before. */
  readonly wasReady: boolean;
  /** Intents that were requested but not read yet. */
  readonly pending: readonly string[];
}

/** Pure. */
export function stageOf({ enrolled, goal, state, wasReady, pending }: LineFacts): EnrolmentStage {
  if (!enrolled) return "refused";
  if (state === null) return "gone";
  if (goal === "enrolled") return "done";
  if (state === "Verifying" || (state === "Enroll" && pending.includes("manage"))) return "verifying";
  if (state === "Enroll") return "stopped";
  if (goal === "manageable" || state === "Ready" || topLevel(state) === "Assigned" || wasReady) return "done";
  if (state === "Manageable") return pending.includes("provide") ? "cleaning" : "confirm";
  return isStopped(state) ? "stopped" : "cleaning";
}

/** Whether hosts at this stage proceed without a person. */
export const isMoving = (stage: EnrolmentStage): boolean => stage === "verifying" || stage === "cleaning";

export const enrolmentActs = [
  "setBmc",
  "confirmCertificate",
  "retry",
  "provide",
  "assignSku",
  "delete",
  "look",
] as const;
/** What a person can do about a host of an enrolment; `look`: see its page. */
export type EnrolmentAct = (typeof enrolmentActs)[number];

export interface Advice {
  readonly words: string;
  readonly acts: readonly EnrolmentAct[];
}

const none: Advice = { words: "", acts: [] };

/** What to do about a host at a stage. Pure. */
export function adviceOf(
  stage: EnrolmentStage,
  state: StoredState | null,
  certificate: "confirmed" | "unconfirmed" = "confirmed",
): Advice {
  switch (stage) {
    case "refused":
      return { words: "Correct the line and enrol it again.", acts: [] };
    case "confirm":
      return {
        words: "Compare what the BMC reported with the machine. If they match, provide the host.",
        acts: ["provide", "setBmc", "delete"],
      };
    case "stopped":
      return state === null ? none : stoppedAdvice(state, certificate);
    default:
      return none;
  }
}

const stoppedAdvice = (state: StoredState, certificate: "confirmed" | "unconfirmed"): Advice =>
  certificate === "unconfirmed"
    ? {
        words: "Compare the certificate's fingerprint with the one the BMC displays, and confirm it.",
        acts: ["confirmCertificate", "setBmc", "delete"],
      }
    : state === "Enroll"
      ? {
          words:
            "Fix what the message names: the BMC's address, credentials, serial or MACs, or the BMC itself. Then retry.",
          acts: ["setBmc", "retry", "delete"],
        }
      : isFailed(state)
        ? { words: "See the host's page for what failed and what to check.", acts: ["look", "delete"] }
        : {
            words: "Create a SKU from the host on the SKUs page, or assign an existing one.",
            acts: ["assignSku", "look"],
          };

/**
 * The intents for a host when it is enrolled, and again after it stopped. Unless a serial number was given, nobody has said yet which machine
 * it must be, so a person checks what its BMC reports and provides it, unless the enrolment accepts it. Pure.
 */
export function intentsOfEnrolment(
  { goal, firstContact }: { readonly goal: EnrolmentGoal; readonly firstContact: FirstContact },
  serialGiven: boolean,
): readonly ("manage" | "provide")[] {
  if (goal === "enrolled") return [];
  return goal === "ready" && (serialGiven || firstContact === "accept") ? ["manage", "provide"] : ["manage"];
}
