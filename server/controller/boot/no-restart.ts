// An alert can suspend the reboot rule (docs/design/lifecycle.md#reboot-rule).
import { actingText, acts } from "@/server/domain/repair/health/acting";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const name = "StopRebootForAutomaticRecoveryFromStateMachine";

/** Waits without a restart, because somebody is looking at the host, until the alert ends or an agent registers. Null: the host may be restarted. */
export function noRestart({ view: { run }, context: { boot } }: Draft): HandlerResult | null {
  return acts(run.health, name)
    ? wait(
        `boot ${boot?.attempt ?? 0}: no agent has registered, and an alert blocks the next restart: ${actingText(run.health, name)}; it continues when the alert is cleared or its report is removed`,
        null,
      )
    : null;
}
