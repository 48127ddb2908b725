// What a person may have a host's BMC do at once: power, NMI, and how the host starts.
import type { ActionRow } from "@/server/domain/hosts/actions/action-row";
import type { BmcIntent } from "@/server/domain/lifecycle/signals";

export const bmcActions = {
  powerOn: {
    words: "Power on",
    summary: "switches a host on by its BMC",
    consequence: "The BMC switches the host on, and the result is read back. Its state does not change.",
    danger: false,
    right: "host.power",
    command: "hosts power-on",
  },
  powerOff: {
    words: "Power off",
    summary: "switches a host off by its BMC, without asking its system",
    consequence:
      "The BMC switches the host off at once, without asking its system, and the result is read back. Its state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts power-off",
  },
  reboot: {
    words: "Restart host",
    summary: "restarts a host by its BMC, without asking its system",
    consequence:
      "The BMC restarts the host at once, without asking its system; one that is off is switched on. Its state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts reboot",
  },
  softPowerOff: {
    words: "Shut down",
    summary: "asks a host's own system to shut down, and waits ten minutes for it",
    consequence:
      "The BMC asks the host's system to shut down. If it has not within ten minutes, the host stays on and says so. Its state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts shut-down",
  },
  softReboot: {
    words: "Shut down and restart",
    summary: "asks a host's own system to shut down, and switches the host on again when it has",
    consequence:
      "The BMC asks the host's system to shut down, and switches the host on when it has. If it has not within ten minutes, the host stays on and says so. Its state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts soft-reboot",
  },
  injectNmi: {
    words: "Inject NMI",
    summary: "interrupts what runs on a host, so that its system writes a dump or stops in its debugger",
    consequence:
      "The BMC sends a non-maskable interrupt: the system that runs writes a dump, stops or restarts, as it is configured. What it was doing is lost. The state of the host does not change.",
    danger: true,
    right: "host.power",
    command: "hosts inject-nmi",
  },
  setBoot: {
    words: "Set boot",
    summary: "sets how a host starts: boot device, boot mode, secure boot",
    consequence:
      "The BMC is told how the host starts from its next restart on. The host is not restarted. Each boot that Reclaim orders sets its own boot device. Boot mode and secure boot can be set only in Manageable.",
    danger: true,
    right: "host.power",
    command: "hosts boot",
  },
} as const satisfies Record<BmcIntent, ActionRow>;
