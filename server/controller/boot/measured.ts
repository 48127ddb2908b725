// No command goes to an agent whose boot was not measured, where the site requires it (docs/adr/0150-measured-boot.md).
import { whyUnmeasured } from "@/server/domain/attestation/measurement";
import { isGuest } from "@/server/domain/agents/ironic/steps";
import { enqueue } from "@/server/controller/interruptions/queued";
import { voidErase } from "@/server/controller/interruptions/voided";
import type { Draft } from "@/server/controller/host/draft";
import { fail, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** From the registration on. A TPM of its own chip takes some seconds for keys and quote. */
const measuringMs = 10 * 60_000;

/** The bundle of its last boot is not trusted any more, so nothing is that its agent said: the drives are erased again. */
export const isRevoked = ({ view: { measurement, site }, policy }: Draft): boolean =>
  (policy.attestation === "required" || site.policy.attestation === "required") &&
  measurement?.bundle?.state === "Revoked";

/** Null: the agent may get a command. Called for a usable agent, before each. */
export function ensureMeasured(draft: Draft): HandlerResult | null {
  const { agent, measurement } = draft.view;
  // safety: attestation: no command to an agent that was not measured
  if (draft.policy.attestation !== "required" || draft.fake || agent === null) return null;
  const found = whyUnmeasured(measurement, agent.bootEpoch);
  if (found === null) return null;
  const untilMs = agent.registeredMs + measuringMs;
  // A person may take days: meanwhile the host gives its place back, and its clock stops.
  if (found.waitsFor === "person") return enqueue(draft, draft.state, found.why);
  if (found.waitsFor === "agent" && !isGuest(agent.hardwareManagers) && draft.nowMs < untilMs)
    return wait(`${found.why}; the site requires that its boot is measured`, untilMs);
  draft.needNewBoot();
  // safety: attestation: what an agent said whose bundle was revoked
  if (isRevoked(draft)) voidErase(draft, "bundleRevoked", found.why);
  const raw = isGuest(agent.hardwareManagers)
    ? "Ironic's agent cannot be measured, and the site requires it"
    : found.why;
  return fail("MeasuringFailed", [{ key: "notMeasured", device: { kind: "agent" }, raw }]);
}
