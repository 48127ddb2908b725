// Causes at the host's agent, its firmware, its BMC and its network.
import type { Cause, CauseKey } from "@/server/domain/cleaning/failures/cause";
import {
  formatAnswer,
  countText,
  fact,
  happened,
  has,
  formatSeconds,
  sentence,
  withoutStop,
} from "@/server/domain/cleaning/failures/table/row";
import { eraseAdvice } from "@/server/domain/hosts/advice/erase-advice";
import type { CauseRow } from "@/server/domain/cleaning/failures/table/row";

/** "The BMC (iDRAC 6.10, at 10.0.0.5)". */
const bmc = (cause: Cause): string =>
  has(cause, "address") ? `The BMC at ${fact(cause, "address")}` : "The BMC";
const at = (cause: Cause): string => (has(cause, "address") ? ` ${fact(cause, "address")}` : "");

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** The agent's line begins with the test's name, which the sentence already contains. */
const withoutName = ({ facts, raw }: Cause): string => raw.replace(`${String(facts?.["test"] ?? "")}: `, "");

/** Until when the host must be left on; known to whoever reads the failure now, and not stored with it. */
const eraseText = (cause: Cause): string =>
  has(cause, "eraseUntil")
    ? eraseAdvice(fact(cause, "eraseUntil"))
    : "Leave the host on: an erase may still be running.";

export const agentCauses = {
  infinibandFailed: {
    label: "InfiniBand not reset",
    brief: ({ device }) => happened("InfiniBand not reset", device?.slot ?? device?.model ?? ""),
    says: (cause) =>
      `InfiniBand device ${cause.device?.slot ?? ""} did not accept its default configuration: ${sentence(cause.raw)}`.replace(
        "  ",
        " ",
      ),
    check: (cause) =>
      `Check the firmware of ${cause.device?.slot ?? (has(cause, "cards") ? `each of the host's InfiniBand devices, ${fact(cause, "cards")},` : "each of the host's InfiniBand devices")} with mstflint query${cause.device?.model === undefined ? "" : ` (${cause.device.model})`}, and power the host off and on, then retry. If it stays stuck, replace the card and restart the plan, or ask for an exception of infinibandClean on the Gates tab (reclaim exceptions ask) and retry: the step is then left out.`,
  },
  memoryOverwriteFailed: {
    label: "Memory not overwritten",
    says: (cause) =>
      `The host's firmware did not store the request to overwrite memory at the next restart: ${sentence(cause.raw)}`,
    check: (cause) =>
      `Check that the BIOS${has(cause, "bios") ? ` (version ${fact(cause, "bios")})` : ""} supports MemoryOverwriteRequestControl and that its NVRAM is not full; update or reset the BIOS, then retry. If this machine cannot do it, drain its power, record the procedure full-ac-drain on the Assurance tab and have it signed off; or ask for an exception of memoryOverwritten on the Gates tab (reclaim exceptions ask). Then retry: the step is left out.`,
  },
  tpmNotCleared: {
    label: "TPM not cleared",
    says: (cause) => `The TPM was not cleared: ${sentence(cause.raw)}`,
    check: () =>
      "Clear the TPM in the firmware's setup at the host's console, record the procedure manual-tpm-clear on the Assurance tab and have it signed off, then retry: the step is left out. If it cannot be cleared there either, replace it.",
  },
  testsFailed: {
    label: "Test failed",
    brief: (cause) => `${capital(fact(cause, "tests"))} failed`,
    says: (cause) => `${capital(fact(cause, "tests"))} failed: ${sentence(withoutName(cause))}`,
    check: () =>
      "Check the part that the test names in Inventory and in the agent's log, repair or replace it, then retry: the inventory and all tests run again.",
  },
  testsNotRun: {
    label: "Test not run",
    brief: (cause) => `${capital(fact(cause, "tests"))} not run`,
    says: (cause) => `The agent did not run ${fact(cause, "tests")}.`,
    check: () => "Check that the agent image offers every test that the site's policy requires, then retry.",
  },
  agentSilent: {
    label: "Agent silent",
    brief: (cause) => happened(`Agent silent for ${formatSeconds(cause, "seconds")}`, cause.step ?? ""),
    says: (cause) =>
      `The agent has not been heard from for ${formatSeconds(cause, "seconds")} during ${cause.step ?? "its step"}; an erase may still run, so the host stays on.`,
    check: (cause, goesOn) =>
      goesOn
        ? `${eraseText(cause)} Check the host's console for a kernel panic, a hang or a missing network, and the link to the boot network. If the agent stays silent, Reclaim boots a new one, which joins an erase that still runs.`
        : "Check the host's console for a kernel panic, a hang or a missing network. Check the link to the boot network, then retry: a new agent boots and joins the erase that is still running.",
  },
  agentRestarted: {
    label: "Agent restarted",
    says: (cause) =>
      `The agent restarted in the middle of ${cause.step ?? "its step"}, attempt ${fact(cause, "attempt")}.`,
    check: (cause, goesOn) =>
      `${goesOn && has(cause, "eraseUntil") ? `${eraseText(cause)} ` : ""}Check the host's console and event log for a power loss or a crash${goesOn ? "; Reclaim boots the agent again by itself." : ", then retry."}`,
  },
  agentNeverRegistered: {
    label: "Agent never registered",
    brief: (cause) => `Agent never registered in ${countText(cause, "boots", "restart", "restarts")}`,
    says: (cause) =>
      `The BMC restarted the host ${countText(cause, "boots", "time", "times")}, and no agent registered: ${cause.raw === "" ? "the host does not boot the agent image, or the agent cannot reach Reclaim." : sentence(cause.raw)}`,
    check: (cause) =>
      cause.raw === ""
        ? `Open the host's console during a restart. No DHCP or no iPXE: check the link, the VLAN and the boot order of ${has(cause, "macs") ? fact(cause, "macs") : "its boot interface"}. A kernel that stops: check the agent image. An agent that waits: check the route to Reclaim. Then retry.`
        : "Correct what it says: the site's provisioning networks, the settings of the agent's image (enable_auto_tls, its port 9999), or what the firmware tells the agent of the host. Or boot Reclaim's own image. Then retry.",
  },
  agentOutdated: {
    label: "Agent too old",
    says: (cause) => `The agent image that the host booted is too old: ${sentence(cause.raw)}`,
    check: () => "Check Agent images: roll out a current image to this site, then restart the plan.",
  },
  agentChanged: {
    label: "Agent changed",
    says: (cause) => `The agent changed during the cleaning more than once: ${sentence(cause.raw)}`,
    check: () =>
      "Wait until the rollout of the agent image has finished (Agent images), then restart the plan.",
  },
  agentConflict: {
    label: "Two agents",
    says: (cause) =>
      `Another machine responded as this host, or the host with other names: ${sentence(cause.raw)}`,
    check: (cause) =>
      `If the host's firmware or mainboard was changed, compare Names on the Inventory tab and confirm that it is the same machine: its names are then accepted. If not, find the machine that boots with ${has(cause, "macs") ? `one of the MAC addresses ${fact(cause, "macs")}` : "a MAC address of this host"} or with its system UUID, and take it off the boot network. Then retry.`,
  },
  bootContested: {
    label: "Boot contested",
    says: (cause) =>
      `Something else responds as this host, or responds before the host restarts: ${sentence(cause.raw)}`,
    check: () =>
      "Find what contacts the boot server with this host's MAC address or UUID: the system on its drives, or another machine. Stop it, then retry.",
  },
  notMeasured: {
    label: "Not measured",
    says: (cause) =>
      `The host's boot is not one that the site trusts, so its agent gets no step: ${sentence(cause.raw)}`,
    check: () =>
      "Compare the Attestation tab with what the host should boot. A bundle that was retired or revoked: roll out an image whose bundle is trusted. A TPM that is off or was taken over: switch it on or clear it in the BIOS. An agent without measured boot: roll out a current image. Then retry.",
  },
  eraseVoided: {
    label: "Erase voided",
    says: (cause) => sentence(cause.raw),
    check: () =>
      "Find out what restarts the host while it is cleaned: its power, its BMC's log, its boot order. Then restart the plan.",
  },
} satisfies Partial<Record<CauseKey, CauseRow>>;

export const bmcCauses = {
  bmcSilent: {
    label: "BMC silent",
    brief: (cause) =>
      happened(
        "BMC silent",
        has(cause, "tries") ? `${countText(cause, "tries", "try", "tries")} failed` : "",
      ),
    says: (cause) =>
      `${bmc(cause)} does not respond${has(cause, "tries") ? `; ${fact(cause, "tries") === "1" ? "one try failed" : `${fact(cause, "tries")} tries in a row failed`}` : ""}.`,
    check: (cause, goesOn) =>
      `Ping the BMC's address${at(cause)} from the management network. If it does not reply, check its cable, its switch port and the host's power; if it does, restart the BMC. ${goesOn ? "Reclaim continues automatically when the BMC responds." : "Retry when the BMC responds."}`,
  },
  bmcCredential: {
    label: "BMC rejects account",
    says: (cause) =>
      `${bmc(cause)} does not accept Reclaim's user name or password: ${sentence(formatAnswer(cause))}`,
    check: () =>
      "Set the BMC's user name and password (Edit BMC): a BMC reset restores the vendor's default password. Then retry.",
  },
  bmcRefused: {
    label: "BMC refused",
    says: (cause) => `${bmc(cause)} refused the request: ${sentence(formatAnswer(cause))}`,
    check: (cause) =>
      `Read the BMC's response under Device answers, and check the privileges of its account and its licence${has(cause, "firmware") ? ` (firmware ${fact(cause, "firmware")})` : ""}. Then retry.`,
  },
  bmcUnsupported: {
    label: "BMC lacks feature",
    says: (cause) => `${bmc(cause)} does not support a required feature: ${sentence(formatAnswer(cause))}`,
    check: (cause) =>
      `Check whether newer BMC firmware${has(cause, "firmware") ? ` (it has ${fact(cause, "firmware")})` : ""} or a licence adds it, then retry. The request is under Device answers.`,
  },
  bmcError: {
    label: "BMC error",
    says: (cause) => `${bmc(cause)} responds with an error: ${sentence(formatAnswer(cause))}`,
    check: (cause, goesOn) =>
      `Restart the BMC${at(cause)} and look at its log. ${goesOn ? "Reclaim continues automatically when the BMC responds without an error." : "Retry when the BMC responds without an error."}`,
  },
  bmcIgnored: {
    label: "BMC change not applied",
    says: (cause) => `${bmc(cause)} accepted the request but did not carry it out: ${sentence(cause.raw)}`,
    check: (cause, goesOn) =>
      `Check in the BMC's web interface${at(cause)} whether the setting can be changed by hand, and what its log says. Restart the BMC${has(cause, "firmware") ? `, or update its firmware (it has ${fact(cause, "firmware")})` : " or update its firmware"}. ${goesOn ? "Reclaim retries automatically." : "Then retry."}`,
  },
  bmcGarbled: {
    label: "Invalid BMC response",
    says: (cause) => `${bmc(cause)} returned a response that is not valid Redfish: ${sentence(cause.raw)}`,
    check: (cause, goesOn) =>
      `Open the address${at(cause)} in a browser: is it the BMC, or a proxy or another device? Restart the BMC or update its firmware. ${goesOn ? "Reclaim continues automatically when the BMC responds correctly." : "Retry when the BMC responds correctly."}`,
  },
  bmcOtherHost: {
    label: "BMC of another host",
    says: (cause) => `Another machine responds at this host's BMC address: ${sentence(cause.raw)}`,
    check: () =>
      "Nothing was changed on that machine. Correct the BMC's address (Edit BMC), which also retries. If it is this host after a change of its firmware or mainboard, read the inventory again, confirm on the Inventory tab that it is the same machine, and retry.",
  },
  bmcCertificate: {
    label: "BMC certificate changed",
    says: (cause) => `The BMC presented a certificate that is not accepted: ${sentence(cause.raw)}`,
    check: () =>
      "Find out who replaced the BMC or its certificate; nothing was sent to it. Compare the fingerprint with the one on the BMC, then Confirm certificate, which also retries.",
  },
  drivesNotListed: {
    label: "Drives not listed",
    brief: (cause) => happened("Drives not listed by the BMC", withoutStop(formatAnswer(cause))),
    says: (cause) =>
      `The BMC did not list the host's drives in ${countText(cause, "tries", "try", "tries")}, and a host is not cleaned with an incomplete drive list: ${sentence(formatAnswer(cause))}`,
    check: () =>
      "Restart the BMC, or update its firmware, until Read inventory again lists every drive. Then retry.",
  },
  resetNotConfirmed: {
    label: "Restart not confirmed",
    brief: (cause) => `Restart not confirmed in ${countText(cause, "tries", "try", "tries")}`,
    says: (cause) =>
      `The BMC accepted ${cause.facts?.["tries"] === 1 ? "a restart that cannot be confirmed" : `${countText(cause, "tries", "restart", "restarts")}, but none could be confirmed`}: ${sentence(cause.raw)}`,
    check: () =>
      "Watch the host's console while you restart it through the BMC. If it does not restart, restart the BMC; if it does, check the BMC's clock and its last reset time. Then retry.",
  },
} satisfies Partial<Record<CauseKey, CauseRow>>;

export const networkCauses = {
  networkNotConfigured: {
    label: "No network controller",
    brief: (cause) => `No network controller for the ${fact(cause, "network")} network`,
    says: (cause) =>
      `The ${fact(cause, "network")} network could not be requested, because the site has no network controller.`,
    check: () =>
      "Give the address and the token of the site's network controller in Settings, Site. Then retry.",
  },
  networkRefused: {
    label: "Network request refused",
    brief: (cause) => `Network request refused: ${fact(cause, "network")} network`,
    says: (cause) =>
      `The ${fact(cause, "network")} network could not be requested, because the site's network controller rejected the request: ${sentence(formatAnswer(cause))}`,
    check: () =>
      "Check the network controller's address in Settings, Site: it must serve /hosts/{id}/network. Check its token, and that it knows the host's interfaces. Then retry.",
  },
  networkFails: {
    label: "Network controller failed",
    brief: (cause) => `Network controller failed: ${fact(cause, "network")} network`,
    says: (cause) =>
      `The network controller failed ${countText(cause, "tries", "time", "times")} to take the ${fact(cause, "network")} network: ${sentence(formatAnswer(cause))}`,
    check: (_cause, goesOn) =>
      `Check that the site's network controller is running and reachable from Reclaim, and read its log. ${goesOn ? "Reclaim retries automatically." : "Then retry."}`,
  },
  networkSilent: {
    label: "Network never acknowledged",
    brief: (cause) => `Network never acknowledged by ${fact(cause, "interfaces")}`,
    says: (cause) =>
      `The network controller accepted the ${fact(cause, "network")} network ${formatSeconds(cause, "seconds")} ago, and ${fact(cause, "interfaces")} never acknowledged it.`,
    check: (cause) =>
      `Check ${fact(cause, "interfaces")}: is the DPU or switch port up, and can its agent reach the network controller? Then retry.`,
  },
  releaseOverdue: {
    label: "Release overdue",
    brief: (cause) => `Release overdue after ${formatSeconds(cause, "seconds")}; ports quarantined`,
    says: (cause) =>
      `The release did not finish within ${formatSeconds(cause, "seconds")}, so the host's ports are quarantined and the instance has ended.`,
    check: () =>
      "Find in the history what delayed the release, fix it, then retry: the host moves to the admin network and is cleaned.",
  },
  alertHoldsRelease: {
    label: "Release delayed by alert",
    brief: (cause) => `Release delayed by alert: ${fact(cause, "alert")}`,
    says: (cause) =>
      `The release waited before the network switch, because an alert blocks changes to the host: ${sentence(fact(cause, "alert"))}`,
    check: (_cause, goesOn) =>
      `Open the host's Health tab: clear the alert at its source, or remove the report. ${goesOn ? "The release continues automatically." : "Then retry."}`,
  },
} satisfies Partial<Record<CauseKey, CauseRow>>;
