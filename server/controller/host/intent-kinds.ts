// Intents that imply more than what they ask for.
import { bmcIntents, type IntentKind } from "@/server/domain/lifecycle/signals";

/**
 * After these the BMC is called even if it refused our credential: a person may have corrected its account. A release is included, because it is
 * requested once per instance and would otherwise fail long after an outage that made the BMC refuse.
 */
export const mayMeanCredential: ReadonlySet<IntentKind> = new Set([
  "manage",
  "provide",
  "retry",
  "restart",
  "inspect",
  "inspectByAgent",
  "release",
  ...bmcIntents,
]);

/** These are dropped once a release is requested, even if they came before it: the release relies on what they change or stop. */
export const endsWithRelease: ReadonlySet<IntentKind> = new Set(["injectNmi", "setBoot"]);

/** These erase a machine from any state. A server of an earlier release may have learned the machine's identity without comparing it. */
export const beginsErase: ReadonlySet<IntentKind> = new Set(["decommission", "clean"]);
