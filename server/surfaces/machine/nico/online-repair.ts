// `onlineRepair` and `healthIssue` of `PATCH …/machine/{id}`, with NICo's rules and messages (docs/api.md#nico).
import { z } from "zod";
import { reachOf } from "@/server/domain/access/access";
import { acknowledgements, inNicoText, onlineRepairIssue } from "@/server/domain/repair/online-repair";
import type { Acknowledgements } from "@/server/domain/repair/online-repair";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { Machine } from "@/server/usecases/hosts/machines/read-machines";
import { beginOnlineRepair, endOnlineRepair } from "@/server/usecases/repair/online-repair";
import { NicoFault, valueOf } from "@/server/surfaces/machine/nico/faults";
import { formatIssue } from "@/server/domain/schema-text";

const flag = z.boolean({ error: "must be true or false" }).nullish();
const text = z.string({ error: "must be a string" }).nullish();

/** The members that a body may have, before it is known what it requests. */
export const onlineRepairMembers = {
  onlineRepair: z
    .strictObject({
      enabled: flag,
      policy: z.strictObject({ allowAutoInstanceDeletionOnFailure: flag }).nullish(),
      acknowledgments: z
        .strictObject({
          acceptDataCorruptionRisk: flag,
          acceptRepairTeamAccess: flag,
          acceptInstanceDeletionRisk: flag,
        })
        .nullish(),
    })
    .nullish(),
  healthIssue: z.strictObject({ category: text, summary: text, details: text }).nullish(),
};
const members = z.object(onlineRepairMembers);
type OnlineRepairRequest = z.output<typeof members>;

/** Null: the repair should end. */
type OnlineRepairTarget = {
  readonly issue: HealthIssue;
  readonly deletion: boolean;
  readonly acknowledgments: Acknowledgements;
} | null;

const missing = (value: string | null | undefined): boolean =>
  value === null || value === undefined || value === "";

/** What is wrong with an issue, by field. */
function issueFaults(issue: OnlineRepairRequest["healthIssue"]): Readonly<Record<string, string>> {
  if (!issue) return { healthIssue: "healthIssue is required when onlineRepair.enabled is true" };
  const read = onlineRepairIssue.safeParse(issue, { error: formatIssue });
  return Object.fromEntries(
    (read.error?.issues ?? []).map(({ path: [name = ""], message }) => [
      `healthIssue.${String(name)}`,
      (name === "summary" || name === "details") && missing(issue[name])
        ? `${name} is required`
        : name === "category"
          ? message
          : `${String(name)} ${message}`,
    ]),
  );
}

function acknowledgementFaults(given: NonNullable<OnlineRepairRequest["onlineRepair"]>["acknowledgments"]) {
  if (!given)
    return { "onlineRepair.acknowledgments": "acknowledgments is required when entering online repair" };
  return acknowledgements.safeParse(given).success
    ? {}
    : {
        "onlineRepair.acknowledgments": "all acknowledgment flags must be true to enter online repair",
      };
}

/** Throws 400 with what is wrong, in NICo's words. @param invalid its message for the whole body */
export function readOnlineRepair(
  { onlineRepair, healthIssue }: OnlineRepairRequest,
  invalid: string,
): OnlineRepairTarget {
  const refuse = (data: Readonly<Record<string, string>>) => new NicoFault(400, invalid, data);
  if (!onlineRepair) throw refuse({ healthIssue: "healthIssue must only be set together with onlineRepair" });
  const { enabled, policy, acknowledgments } = onlineRepair;
  if (typeof enabled !== "boolean")
    throw refuse({ "onlineRepair.enabled": "enabled is required when onlineRepair is set" });
  if (!enabled) {
    if (healthIssue || policy || acknowledgments)
      throw refuse({
        __all__:
          "healthIssue, onlineRepair.policy, and onlineRepair.acknowledgments must not be set when exiting online repair",
      });
    return null;
  }
  const deletion = policy?.allowAutoInstanceDeletionOnFailure;
  const faults = {
    ...issueFaults(healthIssue),
    ...(typeof deletion === "boolean"
      ? {}
      : {
          "onlineRepair.policy":
            "policy.allowAutoInstanceDeletionOnFailure is required when entering online repair",
        }),
    ...acknowledgementFaults(acknowledgments),
  };
  if (Object.keys(faults).length > 0) throw refuse(faults);
  return {
    issue: onlineRepairIssue.parse(healthIssue),
    deletion: deletion === true,
    acknowledgments: acknowledgements.parse(acknowledgments),
  };
}

const noInstance = "Machine must have an assigned Instance for online repair";

/** Throws 403 if the machine is another tenant's, and 400 if the repair cannot begin or end now. */
export async function changeOnlineRepair(
  backend: Backend,
  actor: Actor,
  facts: Request,
  { instanceId, tenantId }: Machine,
  wanted: OnlineRepairTarget,
): Promise<void> {
  const reach = reachOf(actor.role, "instance.release");
  if (reach === "none" || (reach === "own" && (tenantId === null || tenantId !== actor.tenantId)))
    throw new NicoFault(
      403,
      "User does not have permission to enter/exit online repair mode for this Machine",
    );
  if (instanceId === null) throw new NicoFault(400, noInstance);
  const changed =
    wanted === null
      ? await endOnlineRepair(backend, actor, facts, { instanceId })
      : await beginOnlineRepair(backend, actor, facts, {
          instanceId,
          issue: wanted.issue,
          allowAutoInstanceDeletionOnFailure: wanted.deletion,
          acknowledgments: wanted.acknowledgments,
        });
  if (!changed.ok && changed.problem.code === "notAllowedNow")
    throw new NicoFault(400, inNicoText(changed.problem.detail));
  if (!changed.ok && changed.problem.code === "notFound") throw new NicoFault(400, noInstance);
  valueOf(changed);
}
