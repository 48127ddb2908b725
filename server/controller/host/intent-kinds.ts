// Which intents mean more than what they ask for.
import { bmcIntents, type IntentKind } from "@/server/domain/lifecycle/signals";

/**
 * After these the BMC is called for a person who may have put its account right. A release is asked for once for each instance, and would fail
 * long after an outage that made the BMC refuse.
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

/** These follow no release, even where they were asked for before it: what they change or stop is what the release rests on. */
export const endsWithRelease: ReadonlySet<IntentKind> = new Set(["injectNmi", "setBoot"]);

/** These erase a machine from wherever the host stands. A server of an earlier release learned which machine it is without comparing. */
export const beginsErase: ReadonlySet<IntentKind> = new Set(["decommission", "clean"]);
