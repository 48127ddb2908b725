// Validation/…: on a restarted host the agent runs the site's tests and reads the drives' content again.
import { ensureMeasured } from "@/server/controller/boot/measured";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import type { Signal } from "@/server/domain/lifecycle/signals";
import { ensureAgent } from "@/server/controller/boot/boot";
import { usableAgent } from "@/server/controller/host/usable-agent";
import {
  compareContent,
  contentToRead,
  probeRead,
  withoutReading,
} from "@/server/controller/inventory/content";
import type { Draft } from "@/server/controller/host/draft";
import { earliest, fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The tests that the site and the host's SKU require before allocation; none for a host that leaves the fleet. */
export const wantedTests = ({ leaves, policy, view }: Draft): readonly string[] =>
  leaves ? [] : [...new Set([...policy.validationTests, ...(view.host.sku?.components.tests ?? [])])];

export function rebootHost(draft: Draft): HandlerResult {
  const waiting = ensureAgent(draft) ?? ensureMeasured(draft);
  return waiting ?? goto("Validation/MachineValidating", "the host restarted and the agent registered");
}

export function machineValidating(draft: Draft): HandlerResult {
  const commandId = `validate:${draft.bootEpoch}`;
  const report = draft.inbox.take("validation");
  draft.inbox.take("agentRegistered");
  if (report !== null && report.bootEpoch === draft.bootEpoch && report.command === commandId)
    return judgeReport(draft, report);
  const deadlineMs = draft.run.enteredMs + draft.policy.times.validationMs;
  if (deadlineMs <= draft.nowMs) return fail("MachineValidation", "the tests exceeded their time limit");
  // What the gates rest on is read in the boot of the tests: the inventory with its GPUs, too.
  if (!usableAgent(draft)) {
    draft.needNewBoot();
    draft.memory.prove({ sku: null, tests: null });
    return goto("BomValidating/BootingAgent", "the agent went silent; the host is read and tested again");
  }
  return ensureMeasured(draft) ?? askForTests(draft, commandId, deadlineMs);
}

type ValidationReport = Extract<Signal, { readonly kind: "validation" }>["payload"];

const formatTests = (names: readonly string[]): string =>
  names.length === 1 ? `test ${names.join("")}` : `tests ${names.join(", ")}`;

function judgeReport(draft: Draft, report: ValidationReport): HandlerResult {
  const named = (result: string): string[] =>
    report.tests.filter((test) => test.result === result).map((test) => test.name);
  const ran = new Set(report.tests.map((test) => test.name));
  const skipped = [...named("skipped"), ...wantedTests(draft).filter((test) => !ran.has(test))];
  const failed = named("failed");
  draft.run.setCommand(null);
  draft.memory.prove({
    tests: {
      epoch: draft.bootEpoch,
      passed: named("passed").length,
      names: named("passed"),
      failed,
      skipped,
    },
  });
  // A drive that somebody wrote to is reported first, whatever the tests say.
  const changed = compareContent(draft, report.content ?? []);
  // safety: content: a drive that was written to stops the host
  if (changed !== null) return fail("ContentChanged", changed);
  const messages = report.tests
    .filter((test) => test.result === "failed")
    .map((test) => `${test.name}: ${test.message}`);
  // safety: tests: a failed one stops the host
  if (failed.length > 0)
    return fail("MachineValidation", [
      {
        key: "testsFailed",
        facts: { tests: formatTests(failed), ...(failed.length === 1 ? { test: failed.join("") } : {}) },
        raw: messages.join("; "),
      },
    ]);
  // safety: tests: one that did not run stops the host
  if (skipped.length > 0)
    return fail("MachineValidation", [
      { key: "testsNotRun", facts: { tests: formatTests(skipped) }, raw: `not run: ${skipped.join(", ")}` },
    ]);
  return goto(
    "HostInit/Discovered",
    `${ran.size} tests passed${contentToRead(draft) === null ? "" : ", and the content of the drives is unchanged"}${probeRead(draft)}`,
  );
}

/** Asks the agent of this boot to run the tests, and to read the drives if they can be compared. */
function askForTests(draft: Draft, commandId: string, deadlineMs: number): HandlerResult {
  const fingerprint = contentToRead(draft);
  const old = fingerprint === null ? null : withoutReading(draft);
  // safety: content: no agent is asked that cannot read it
  if (old !== null)
    return fail("AgentVersionMismatch", [{ key: "agentOutdated", device: { kind: "agent" }, raw: old }]);
  draft.run.setCommand({
    kind: "validate",
    id: commandId,
    tests: [...wantedTests(draft)],
    ...(fingerprint === null ? {} : { fingerprint }),
  });
  const silentMs =
    draft.view.agent === null
      ? null
      : heardUntilMs(draft.view.agent.lastSeenMs, draft.policy.times.agentFreshMs) + 1;
  return wait(
    `${wantedTests(draft).length} tests running${fingerprint === null ? "" : "; reading the drives again"}`,
    earliest(deadlineMs, silentMs),
  );
}

export function discovered(draft: Draft): HandlerResult {
  void draft;
  return goto("ReturnToAllocation/EvaluatingGates", "the host is back after its last restart");
}
