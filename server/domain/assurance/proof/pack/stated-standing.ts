// The best standing that a signed statement supports. A return may stand worse than its statement says by itself, such as a recheck that rests on less.
import { standingOf } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { isWhole } from "@/server/domain/assurance/certificates/statement";
import type { AnyStatement } from "@/server/domain/assurance/certificates/statement";

/** Pure. A receipt is only made of a return that became Ready. */
export function bestStanding(said: AnyStatement): Standing {
  const { devices, gates } = said.predicate;
  const whole = isWhole(said) ? said.predicate : null;
  return standingOf({
    kind: whole?.reclamation.kind ?? "release",
    outcome: whole === null ? "ready" : whole.reclamation.outcome,
    fake: false,
    gates,
    drives: devices.map(({ result }) => result),
    missing: whole?.missing.length ?? 0,
    skuHasDrives: devices.length > 0,
  });
}
