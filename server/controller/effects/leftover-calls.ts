// Finds and removes what a host that leaves has left on its BMC; the account used for it comes last (docs/decommission.md#leftovers).
import { z } from "zod";
import { failure, outcome } from "@/server/controller/effects/bmc-calls";
import type { EffectOutcome, EffectPermits } from "@/server/controller/effects/bmc-calls";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";
import { wasDeclined } from "@/server/hardware/answered";
import type { BmcTarget, HardwareResult, HardwareType, SystemReading } from "@/server/hardware/interfaces";

const request = z.object({ part: z.enum(["look", "remove", "ownAccount"]), sent: z.boolean() });

/** The leftover after its removal: removed, or refused if the BMC declined or did not do it. Null: the call ends with this result. */
function ended(
  kind: "bootOverride" | "power",
  what: string,
  result: HardwareResult<SystemReading>,
): Leftover | null {
  if (result.ok) return { kind, what, outcome: "removed", message: null, accepted: null };
  const { kind: cause, message } = result.error;
  return cause === "failed" || cause === "ignored" || wasDeclined(result.error)
    ? { kind, what, outcome: "refused", message, accepted: null }
    : null;
}

/** Removes one part. Asks for a permit before it sends anything, and may be repeated. */
export async function removeLeftovers(
  type: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  const { part, sent } = request.parse(asked);
  const { leftovers } = type;
  if (leftovers === undefined)
    return failure("unsupported", `hardware type ${type.name} cannot list leftovers on a BMC`);
  switch (part) {
    case "look":
      return outcome(await leftovers.look(target, options()));
    case "ownAccount":
      return outcome(await leftovers.removeOwnAccount(target, sent, options("step")));
    case "remove": {
      const removed = await leftovers.remove(target, options("step"));
      if (!removed.ok) return outcome(removed);
      const set = await type.management.setBootOnce(target, "none", options("setBoot"));
      const override = ended("bootOverride", "boot override", set);
      if (override === null) return outcome(set);
      const read = await type.power.read(target, options());
      if (!read.ok) return outcome(read);
      const off =
        read.value.power === "off"
          ? read
          : await type.power.reset(target, "forceOff", options("reset", true));
      const power = ended("power", "running host", off);
      if (power === null) return outcome(off);
      return outcome({ ok: true, value: [...removed.value, override, power] });
    }
  }
}
