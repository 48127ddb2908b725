// Which refused calls of machines are security events. Refusals that a slow or repeated answer explains are not: they would hide those that matter.
import type { RefusalCode } from "@/server/domain/problems";
import type { SecurityEventKind } from "@/server/domain/access/security-events/kinds";

interface RefusalRow {
  readonly kind: SecurityEventKind;
  /** What was tried, in words. */
  readonly tried: string;
}

const boots: Partial<Record<RefusalCode, RefusalRow>> = {
  bootNotRestarted: {
    kind: "earlyToken",
    tried: "asked for a boot token or to register before the restart was done",
  },
  bootContested: {
    kind: "contestedBoot",
    tried: "asked for a boot token or to register in a contested boot",
  },
  addressChanged: {
    kind: "addressChanged",
    tried: "used the token of a boot, or asked for it, from another address than the one that has it",
  },
  bootTokenUsed: {
    kind: "registrationRefused",
    tried: "used a boot token and session that were already used",
  },
  identityConflict: {
    kind: "registrationRefused",
    tried: "asked to register with another identity, or as a second agent of this boot",
  },
  unauthorized: {
    kind: "agentCallRefused",
    tried: "asked to register with the token of a boot that is over",
  },
};

const reports: Partial<Record<RefusalCode, RefusalRow>> = {
  unknownAttempt: {
    kind: "reportForged",
    tried: "reported on a step run or attempt that is not this agent's",
  },
  differentReport: {
    kind: "reportForged",
    tried: "reported another result for an attempt whose result is stored",
  },
};

const calls: Partial<Record<RefusalCode, RefusalRow>> = {
  addressChanged: {
    kind: "addressChanged",
    tried: "used an agent's session from another address than the one that registered",
  },
};

const attestation: Partial<Record<RefusalCode, RefusalRow>> = {
  endorsementKeyChanged: {
    kind: "endorsementKeyChanged",
    tried: "proved an endorsement key that is not the host's",
  },
  quoteWrong: {
    kind: "tpmIdentityForged",
    tried: "sent a quote that is not one of its boot",
  },
  credentialWrong: {
    kind: "tpmIdentityForged",
    tried: "did not open the credential for the keys that it showed",
  },
};

/** Not those of a version that is no longer wanted: an answer that was under way when another one was wanted is one of them. */
const acknowledgements: Partial<Record<RefusalCode, RefusalRow>> = {
  unknownHost: {
    kind: "networkAcknowledgementRefused",
    tried: "acknowledged the network of a host that is not at the adapter's site",
  },
};

/** By the action of the refused call; the path is the one that it came on. */
const surfaces: Readonly<
  Record<string, { readonly path: string; readonly codes: Partial<Record<RefusalCode, RefusalRow>> }>
> = {
  "boot.token": { path: "GET /boot/token", codes: boots },
  "boot.register": { path: "POST /agent/v1/register", codes: boots },
  "agent.call": { path: "/agent/v1", codes: calls },
  "agent.progress": { path: "POST /agent/v1/step-runs/…/progress", codes: reports },
  "agent.result": { path: "POST /agent/v1/step-runs/…/result", codes: reports },
  "agent.attestation": { path: "POST /agent/v1/attestation/activation", codes: attestation },
  "network.acknowledge": { path: "POST /network/v1/acknowledgements", codes: acknowledgements },
};

/** Null: it is no security event. `facts` are what the audit log says of the call. */
export function securityEventOf(
  action: string,
  code: RefusalCode,
  facts: Readonly<Record<string, string | number>>,
): (RefusalRow & { readonly path: string }) | null {
  const surface = Object.hasOwn(surfaces, action) ? surfaces[action] : undefined;
  const row = surface?.codes[code];
  if (surface === undefined || row === undefined) return null;
  const said = Object.entries(facts)
    .filter(([name]) => shown.has(name))
    .map(([name, value]) => `${shown.get(name) ?? name} ${value}`);
  return {
    kind: row.kind,
    tried: said.length === 0 ? row.tried : `${row.tried} (${said.join(", ")})`,
    path: surface.path,
  };
}

/** Facts that help a person; the others are in the audit event. */
const shown: ReadonlyMap<string, string> = new Map([
  ["serial", "serial number"],
  ["systemUuid", "system UUID"],
  ["stepRunId", "step run"],
  ["attempt", "attempt"],
  ["host", "host"],
  ["boundTo", "belongs to"],
  ["interface", "interface"],
  ["keyDigest", "key"],
  ["acceptedDigest", "the host's"],
]);
