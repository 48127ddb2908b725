// A queued host whose agent waits for a person: a bundle, or the answer to another endorsement key (docs/adr/0150-measured-boot.md).
import { whyUnmeasured } from "@/server/domain/attestation/measurement";
import { usableAgent } from "@/server/controller/host/usable-agent";
import { ensureMeasured } from "@/server/controller/boot/measured";
import { beforeBoot } from "@/server/controller/interruptions/interruptions";
import { queued } from "@/server/controller/interruptions/queued";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** A bundle that is approved while a quote is being stored wakes nobody (`usecases/hosts/attestation/judge-again.ts`). */
const lookAgainMs = 10 * 60_000;

/** Null: the host may ask for a place. One whose agent is gone is not held: it boots again, perhaps into what a bundle expects. */
function awaitBundle(draft: Draft): HandlerResult | null {
  const { agent, measurement } = draft.view;
  if (draft.reclamation === null || draft.policy.attestation !== "required") return null;
  if (agent === null || !usableAgent(draft)) return null;
  const found = whyUnmeasured(measurement, agent.bootEpoch);
  // Judged wrong meanwhile: that is not left for a place, which may take days.
  if (found?.waitsFor === null) return ensureMeasured(draft);
  if (found?.waitsFor !== "person") return null;
  // A place that it was given meanwhile is given back; it asks again once it can use one.
  draft.inbox.take("admitted");
  draft.inbox.take("look");
  draft.memory.keepCleaning({ waitsForPlace: false });
  return wait(found.why, draft.nowMs + lookAgainMs);
}

/** In the queue. A host that waits for a bundle may have a step that asked for the restart: like one that boots, it is aborted at once. */
export const queuedMeasured = (draft: Draft): HandlerResult =>
  (draft.context.cleaning.abort === null ? null : beforeBoot(draft)) ?? awaitBundle(draft) ?? queued(draft);
