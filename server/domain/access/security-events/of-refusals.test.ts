// Which refusals are security events, and that those which a slow or repeated answer explains are none.
import { describe, expect, it } from "vitest";
import { securityEventOf } from "@/server/domain/access/security-events/of-refusals";

describe("a refused call", () => {
  it.each([
    ["boot.token", "bootNotRestarted", "earlyToken"],
    ["boot.register", "bootNotRestarted", "earlyToken"],
    ["boot.token", "bootContested", "contestedBoot"],
    ["boot.register", "identityConflict", "registrationRefused"],
    ["boot.register", "bootTokenUsed", "registrationRefused"],
    ["boot.register", "unauthorized", "agentCallRefused"],
    ["boot.token", "addressChanged", "addressChanged"],
    ["boot.register", "addressChanged", "addressChanged"],
    ["agent.call", "addressChanged", "addressChanged"],
    ["agent.result", "unknownAttempt", "reportForged"],
    ["agent.result", "differentReport", "reportForged"],
    ["agent.progress", "unknownAttempt", "reportForged"],
    ["agent.attestation", "endorsementKeyChanged", "endorsementKeyChanged"],
    ["agent.attestation", "credentialWrong", "tpmIdentityForged"],
    ["network.acknowledge", "unknownHost", "networkAcknowledgementRefused"],
  ] as const)("%s with %s is the event %s", (action, code, kind) => {
    expect(securityEventOf(action, code, {})).toMatchObject({ kind });
  });
  it.each([
    ["agent.result", "attemptOver"],
    ["agent.progress", "outOfOrder"],
    ["agent.progress", "journalFull"],
    ["agent.discovery", "notAsked"],
    ["boot.register", "registeredMeanwhile"],
    ["network.acknowledge", "networkNotWanted"],
    ["lease.take", "leaseRefused"],
    ["toString", "bootContested"],
  ] as const)("%s with %s is none", (action, code) => {
    expect(securityEventOf(action, code, {})).toBeNull();
  });
  it("says what was named, and no secret", () => {
    expect(
      securityEventOf("agent.result", "unknownAttempt", { stepRunId: "s1", attempt: 2, reportHash: "ff" })
        ?.tried,
    ).toBe("reported on a step run or attempt that is not this agent's (step run s1, attempt 2)");
  });
});
