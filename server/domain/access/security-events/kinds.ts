// The kinds of security events: what happened, how bad it is, and what to do (docs/security.md#security-events).

/**
 * - `high`: evidence about a host was attacked, or discarded because of it.
 * - `medium`: something that has no business there tried to look like one of our hosts.
 * - `low`: a call that a mistake explains as well as an attack.
 */
export type Severity = "high" | "medium" | "low";

interface KindRow {
  readonly title: string;
  /** What happened and what Reclaim made of it. */
  readonly sentence: string;
  readonly whatToDo: string;
  readonly severity: Severity;
}

export const securityEventKinds = {
  bootRequestFromOutside: {
    title: "Boot request from outside",
    sentence:
      "An address outside the site's provisioning networks asked how a host should boot. The request counted for nothing.",
    whatToDo:
      "Find out what uses this address. If it is in one of your provisioning networks, add the network to the site's policy. Otherwise block it: only provisioning networks need the boot paths.",
    severity: "medium",
  },
  ambiguousMachine: {
    title: "Several hosts answer to one machine",
    sentence:
      "A machine asked how to boot with a UUID and a MAC address that name several hosts, at least one of them held or waited for. It was told to wait, and got no token.",
    whatToDo:
      "Look at the ports and system UUID of the hosts. If a network card was moved, delete its address from the ports of the host that no longer has it.",
    severity: "medium",
  },
  earlyToken: {
    title: "Boot token requested too early",
    sentence:
      "Something asked for a boot token, or to register, before the restart of that boot was done. It was running before the restart, so nothing of this boot counts.",
    whatToDo:
      "If it happens again on this host, look for a second system with its UUID or MAC address, and for software of the former tenant that still runs (BMC, DPU, other firmware).",
    severity: "high",
  },
  contestedBoot: {
    title: "Contested boot",
    sentence:
      "Something asked for a token or to register in a boot that is contested. It was refused: only a new boot is served.",
    whatToDo:
      "Reclaim restarts the host. If the next boot is contested as well, disconnect the host's other networks and find the second system.",
    severity: "high",
  },
  eraseVoided: {
    title: "Erase voided",
    sentence:
      "Between the first erase and the end of the cleaning, something other than Reclaim's agent ran on the host, or may have: it restarted without an order, a boot led to no agent, or a second system answered as this host. What was erased before no longer counts and is erased again.",
    whatToDo:
      "Look at what was noticed. After a restart that nobody ordered, read its BMC's log for power actions, and look at its power supply and the BMC's users. After a boot without an agent, check its boot order and the boot network. After a contested boot, find the second system with its UUID or MAC address.",
    severity: "high",
  },
  readyChanged: {
    title: "Ready host changed",
    sentence:
      "A host that waited in Ready was read and is no longer what was proven of it: its drives, its last reset, its firmware or its chassis differ, or one of its drives belongs to another host. It left allocation and is checked again.",
    whatToDo:
      "Find out who worked on the host: read its BMC's log and users, and look at who was in the data centre. If the work was planned, set maintenance before it the next time.",
    severity: "high",
  },
  registrationRefused: {
    title: "Registration refused",
    sentence:
      "An agent with another identity, a second agent, or one with a token already used asked to register in a boot of this host.",
    whatToDo:
      "Compare the identity that it reported with the host's record. If a part was replaced, correct the record. Otherwise find the second system in the provisioning network.",
    severity: "high",
  },
  addressChanged: {
    title: "Address changed",
    sentence:
      "A boot token or the session of an agent was used from another network address than its own, or a second address asked for the token of a boot. It was refused. Where a second address asked for the token, nothing of that boot counts.",
    whatToDo:
      "If the host itself got another address during one boot, give it a longer DHCP lease or a reserved address, and name all proxies in RECLAIM_TRUSTED_PROXIES. The host goes on with its next boot, which gets a new token. Otherwise somebody has the token: find out what uses this address, and who can read the provisioning network.",
    severity: "high",
  },
  agentCallRefused: {
    title: "Agent call refused",
    sentence: "A call to the agent's interface had no token, a wrong one, or one whose session has ended.",
    whatToDo:
      "A few calls after a reclamation has ended are an agent that was slow to notice. If they go on, find out what runs at this address.",
    severity: "low",
  },
  reportForged: {
    title: "Forged report",
    sentence:
      "A report named a host, a step or an attempt that is not this agent's, or contradicted the result that is stored. It changed nothing.",
    whatToDo:
      "Do not trust what this agent reported: hold the host, restart it with a checked image, and clean it again. Find out how the agent was changed.",
    severity: "high",
  },
  endorsementKeyChanged: {
    title: "Endorsement key changed",
    sentence:
      "The TPM of a host proved an endorsement key that is not the one that counts as the host's. The new key counts for nothing until an operator accepts it.",
    whatToDo:
      "If the mainboard or the TPM was replaced, accept the new key on the host's page. Otherwise another machine answers as this host, or somebody exchanged its TPM: find it before the host is allocated.",
    severity: "high",
  },
  tpmIdentityForged: {
    title: "Forged TPM identity",
    sentence:
      "An agent showed the keys of a TPM and answered with something else than the secret that only this TPM can read. The keys count for nothing.",
    whatToDo:
      "Do not trust what this agent reported: hold the host, and restart it with a checked image. If it happens again, another machine answers as this host, or its TPM is broken.",
    severity: "high",
  },
  networkAcknowledgementRefused: {
    title: "Network acknowledgement refused",
    sentence:
      "A network adapter acknowledged the network of a host that is not at its site. Nothing was stored.",
    whatToDo:
      "Check who has the adapter's token, and whether two adapters serve the same site. Replace the token if in doubt.",
    severity: "medium",
  },
} as const satisfies Record<string, KindRow>;
export type SecurityEventKind = keyof typeof securityEventKinds;

const isKind = (name: string): name is SecurityEventKind => Object.hasOwn(securityEventKinds, name);
export const securityEventNames: readonly SecurityEventKind[] =
  Object.keys(securityEventKinds).filter(isKind);

/** Null: an event that another release wrote. */
export const findSecurityEventKind = (name: string): SecurityEventKind | null => (isKind(name) ? name : null);

export const severityText = { high: "High", medium: "Medium", low: "Low" } as const satisfies Record<
  Severity,
  string
>;

/** Addresses that have a row of their own for one kind, host and hour; all others share one. */
export const ownAddresses = 8;
/** Hosts that have a row of their own for one kind, address and hour; all others share one. */
export const ownHosts = 100;
/** Different things tried that one row keeps. The audit log has every refusal. */
export const keptTries = 5;
