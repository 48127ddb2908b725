// Decommissioning/…: removes what a proven host leaves behind, then the host itself (docs/decommission.md).
import { bmcTrouble } from "@/server/controller/host/bmc-cause";
import type { BmcAnswer } from "@/server/controller/host/bmc-cause";
import { z } from "zod";
import {
  accepting,
  leftover,
  leftoverKinds,
  standing,
  formatLeftovers,
  storedLeftovers,
  withReading,
} from "@/server/domain/hosts/decommission/leftovers";
import type { Leftover, LeftoverKind } from "@/server/domain/hosts/decommission/leftovers";
import type { LeavingContext } from "@/server/domain/lifecycle/context";
import { bmcCauseOf } from "@/server/controller/host/bmc-cause";
import { touchedText } from "@/server/controller/inventory/content";
import { enqueue } from "@/server/controller/interruptions/queued";
import { ensureNetwork } from "@/server/controller/network/network";
import type { Draft } from "@/server/controller/host/draft";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Consecutive failed calls after which the host stops. */
const maxFailures = 3;

const readValue = z.array(leftover);

/** Kinds that a reading of the BMC lists completely: what it no longer shows was removed. */
const ofBmc: ReadonlySet<LeftoverKind> = new Set(
  leftoverKinds.filter((kind) => kind !== "network" && kind !== "stored" && kind !== "ownAccount"),
);

export function removingLeftovers(draft: Draft): HandlerResult {
  const { leaving } = draft.context;
  if (!draft.leaves || leaving === undefined)
    return fail("ManualInterventionRequired", [
      { key: "recordBroken", raw: "nobody asked for the decommission of this host" },
    ]);
  if (draft.fake) return goto("Decommissioned", "fake hardware: nothing to prove and nothing to remove");
  const unproven = provenNoMore(draft);
  if (unproven !== null) return unproven;
  const network = ensureNetwork(draft, "quarantine");
  // safety: decommission: the ports are quarantined
  if (network !== null) return network;
  const known = withReading(leaving.leftovers, [quarantined(draft)], new Set());
  keep(draft, { ...leaving, leftovers: [...known] });
  return askBmc(draft);
}

/** The gates passed. If its BMC was read before, the host has booted since, so nothing that was removed then counts as gone. */
export function toLeftovers(draft: Draft): HandlerResult {
  const { leaving } = draft.context;
  // Drops the outcome of a call made before the host was cleaned again.
  draft.inbox.takeEffect("leftovers");
  // No host leaves by an exception: what one let through before is proven now.
  draft.memory.forget("exceptedUntil");
  if (leaving !== undefined)
    keep(draft, {
      ...leaving,
      part: "look",
      leftovers: leaving.leftovers.filter(({ kind }) => kind !== "ownAccount"),
      sent: false,
      failures: 0,
      retryAt: null,
    });
  return goto("Decommissioning/RemovingLeftovers", "every gate that concerns data is proven");
}

/**
 * The proof no longer counts: since its final boot somebody touched the host, something else ran on it, or it got a debt.
 * Null: it still counts.
 */
function provenNoMore(draft: Draft): HandlerResult | null {
  const { debts } = draft.tenancy;
  const { touched, maintenance } = draft.run.kept;
  const { voided } = draft.context.cleaning;
  if (debts === 0 && !touched && voided === undefined) return null;
  // Waits for a call in progress and ignores its result: the BMC is read again later.
  const effect = draft.inbox.takeEffect("leftovers");
  if (effect !== null && readOutcome(effect, draft.view.run.generation).kind === "pending")
    return wait("waiting for the BMC's response before the host is cleaned again", null);
  // safety: decommission: a debt that came since the gates is held against them
  if (debts > 0)
    return goto(
      "ReturnToAllocation/EvaluatingGates",
      "the host got a sanitization debt after its gates passed",
    );
  // The host must not boot while somebody works on it.
  if (maintenance)
    return wait(`in maintenance: ${draft.run.kept.maintenanceReason ?? "no reason given"}`, null);
  draft.needNewBoot();
  draft.memory.prove({ sku: null, tests: null });
  // safety: decommission: a host that was touched since it was proven is cleaned again (null)
  return enqueue(
    draft,
    "WaitingForCleanup/Init",
    `${voided?.message ?? touchedText(draft)}; the host is cleaned again`,
  );
}

const keep = (draft: Draft, leaving: LeavingContext): void => draft.memory.keep({ leaving });

const quarantined = ({ view }: Draft): Leftover => ({
  kind: "network",
  what: `network of ${view.host.networkInterfaces.join(", ")}`,
  outcome: "removed",
  message: "the ports are quarantined",
  accepted: null,
});

/** Follows up what was requested of the BMC, part by part: look, remove, and finally our own account. */
function askBmc(draft: Draft): HandlerResult {
  const { leaving } = draft.context;
  if (leaving === undefined) return wait("", null);
  const over = afterPart(leaving);
  if (over !== null) return over;
  const effect = draft.inbox.takeEffect("leftovers");
  if (effect === null) return leaving.retryAt === null ? request(draft, leaving) : again(draft, leaving);
  const outcome = readOutcome(effect, draft.view.run.generation);
  switch (outcome.kind) {
    case "pending":
      return wait(words[leaving.part], null);
    case "neverSent":
      return request(draft, leaving);
    case "unknown": {
      const sent = { ...leaving, sent: leaving.sent || leaving.part === "ownAccount" };
      const { message } = outcome;
      return message === null
        ? request(draft, sent)
        : failed(draft, sent, { errorKind: "unreachable", message, answer: null });
    }
    case "failed":
      return failed(draft, leaving, outcome);
    case "done": {
      const leftovers = [
        ...withReading(
          leaving.leftovers,
          readValue.parse(outcome.value),
          leaving.part === "ownAccount" ? new Set() : ofBmc,
        ),
      ];
      const read = { ...leaving, leftovers, failures: 0, retryAt: null };
      keep(draft, leaving.part === "look" ? { ...read, part: "remove" } : read);
      return leaving.part === "look" ? askBmc(draft) : settled(draft, read);
    }
  }
}

const words = {
  look: "listing leftovers on the BMC",
  remove: "removing leftovers from the BMC",
  ownAccount: "removing the account that Reclaim signs in with",
} as const satisfies Record<LeavingContext["part"], string>;

function request(draft: Draft, leaving: LeavingContext): HandlerResult {
  keep(draft, { ...leaving, retryAt: null });
  draft.request("leftovers", { part: leaving.part, sent: leaving.sent });
  return wait(words[leaving.part], null);
}

/** Gives the BMC time between two calls. */
function again(draft: Draft, leaving: LeavingContext): HandlerResult {
  const retryMs = leaving.retryAt === null ? draft.nowMs : Date.parse(leaving.retryAt);
  return retryMs <= draft.nowMs
    ? request(draft, leaving)
    : wait(`${words[leaving.part]}: ${draft.run.kept.lastError ?? "the BMC is called again"}`, retryMs);
}

/** The next state if our own account is already settled. Null: this part must be requested. */
function afterPart(leaving: LeavingContext): HandlerResult | null {
  const own = leaving.leftovers.find(({ kind }) => kind === "ownAccount");
  if (leaving.part !== "ownAccount" || own === undefined || standing([own]).length > 0) return null;
  return goto("Decommissioned", "no unaccepted leftovers remain");
}

function settled(draft: Draft, leaving: LeavingContext): HandlerResult {
  // safety: decommission: a leftover that stands stops the host
  if (standing(leaving.leftovers).length > 0)
    return fail("LeftoversRemain", [{ key: "leftoversRemain", raw: formatLeftovers(leaving.leftovers) }]);
  if (leaving.part === "ownAccount") return goto("Decommissioned", "no unaccepted leftovers remain");
  const next: LeavingContext = { ...leaving, part: "ownAccount" };
  if (!leaving.keepAccount) return request(draft, next);
  keep(draft, { ...next, leftovers: [...leaving.leftovers, keptAccount] });
  return goto("Decommissioned", "nothing remains of the host but the account that was kept");
}

const keptAccount: Leftover = {
  kind: "ownAccount",
  what: "account that Reclaim signs in with",
  outcome: "kept",
  message: "as was asked for",
  accepted: null,
};

function failed(draft: Draft, leaving: LeavingContext, outcome: BmcAnswer): HandlerResult {
  const failures = leaving.failures + 1;
  draft.trouble(bmcTrouble(outcome, failures), outcome.message);
  if (failures < maxFailures) {
    const retryAt = new Date(draft.nowMs + draft.policy.times.bmcRetryMs).toISOString();
    const later = { ...leaving, failures, retryAt };
    keep(draft, later);
    return again(draft, later);
  }
  keep(draft, { ...leaving, failures: 0, retryAt: null });
  return fail(bmcCauseOf(outcome.errorKind), [bmcTrouble(outcome, failures)]);
}

/** A person accepts some of the remaining leftovers, but none found later. False: none were accepted, or this is not a decommission. */
export function leftoversAccepted(draft: Draft): boolean {
  const asked = draft.takeIntent("acceptLeftovers");
  const { leaving } = draft.context;
  if (asked === null || leaving === undefined) return false;
  const { by, keys, reason } = asked;
  const accepted = { by: by.name, reason, at: new Date(draft.nowMs).toISOString() };
  keep(draft, { ...leaving, leftovers: [...accepting(leaving.leftovers, keys, accepted)] });
  return true;
}

/** The last state: its commit removes the host, and the record that is kept says how it left. */
export function decommissioned(draft: Draft): HandlerResult {
  const { leaving } = draft.context;
  if (leaving !== undefined)
    keep(draft, { ...leaving, leftovers: [...leaving.leftovers, ...storedLeftovers] });
  // safety: decommission: an erase outlives its host
  draft.hardware.leaveErase(draft.erase.afterDeletionUntilMs);
  // safety: decommission: what it rests on has not moved
  draft.evidence.expectUnmoved(draft.view.run.evidenceSeq);
  draft.endReclamation("decommissioned", leaving === undefined ? null : leaving.reason);
  draft.hardware.delete();
  return wait("removed", null);
}
