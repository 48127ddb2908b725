// Puts a BMC's report together, check by check: a check whose ground has not passed is not made, and an answer that is missing is not known.
import { bmcChecks, longestSays, longestTodo } from "@/server/domain/hardware/bmc-report";
import type { BmcCheck, BmcCheckName, CheckStatus } from "@/server/domain/hardware/bmc-report";
import { bmcText } from "@/server/domain/repair/health/bmc/component";
import type { RedfishError } from "@/server/hardware/redfish/client/errors";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";

/** What one check has found. */
export interface Made {
  readonly status: Exclude<CheckStatus, "notMade">;
  readonly says: string;
  readonly todo: string | null;
}

export const passed = (says: string, todo: string | null = null): Made => ({ status: "passed", says, todo });
export const failed = (says: string, todo: string | null): Made => ({ status: "failed", says, todo });
export const notOffered = (says: string, todo: string | null = null): Made => ({
  status: "notOffered",
  says,
  todo,
});
export const notKnown = (says: string, todo: string | null = null): Made => ({
  status: "notKnown",
  says,
  todo,
});

const again = "Test again. If it stays so, look into the BMC's own log.";

/** Statuses that refuse nothing: later it may be answered, or the BMC lists what it does not have. */
const untold = new Set([404, 408, 425, 429]);

/** What an error says: a refusal fails the check, anything else leaves it unknown. */
export function ofError(error: RedfishError, todo: string | null = null): Made {
  const { status, kind, message } = error;
  const isRefusal = status !== null && status >= 400 && status < 500 && !untold.has(status);
  if (isRefusal || kind === "untrusted" || kind === "otherHost") return failed(message, todo ?? again);
  // What the client found itself, in an answer that was complete.
  if (kind === "unsupported" && status === null) return notOffered(message, todo);
  return notKnown(message, todo ?? again);
}

export class Report {
  readonly #checks: BmcCheck[] = [];
  readonly #secret: string;
  readonly #names: ReadonlySet<BmcCheckName>;
  /** Why nothing more can be checked; null: it can. */
  #over: string | null = null;

  /** @param secret the password, which a BMC may quote */
  constructor(names: readonly BmcCheckName[], secret: string) {
    this.#names = new Set(names);
    this.#secret = secret;
  }

  get checks(): readonly BmcCheck[] {
    return this.#checks;
  }

  /** @param isGround no later check can be made unless this one passes */
  async make(check: BmcCheckName, look: () => Promise<Made> | Made, isGround = false): Promise<void> {
    if (this.#over !== null) return this.#add(check, { status: "notMade", says: this.#over, todo: null });
    const { made, isSilent } = await this.#told(look);
    this.#add(check, made);
    if (isSilent) this.#over = `The BMC stopped answering at ${bmcChecks[check].label}.`;
    else if (isGround && made.status !== "passed")
      this.#over = `It needs ${bmcChecks[check].label}, which has not passed.`;
  }

  async #told(
    look: () => Promise<Made> | Made,
  ): Promise<{ readonly made: Made; readonly isSilent: boolean }> {
    try {
      return { made: await look(), isSilent: false };
    } catch (error) {
      if (error instanceof CannotTell || error instanceof StepStopped)
        return { made: ofError(error.error), isSilent: error.error.kind === "unreachable" };
      if (error instanceof StepFailed) return { made: notKnown(error.message), isSilent: false };
      throw error;
    }
  }

  #add(check: BmcCheckName, made: Omit<BmcCheck, "check">): void {
    if (!this.#names.has(check)) return;
    const { status, says, todo } = made;
    this.#checks.push({
      check,
      status,
      says: this.#text(says, longestSays),
      todo: todo === null ? null : this.#text(todo, longestTodo),
    });
  }

  /** A sentence without the password, in one line. */
  #text(words: string, most: number): string {
    const without = this.#secret === "" ? words : words.replaceAll(this.#secret, "(password)");
    const line = bmcText(without, most - 1);
    const sentence = `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
    return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
  }
}
