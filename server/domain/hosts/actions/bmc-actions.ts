// Actions that a host's BMC performs at once for a person: power, NMI, and how the host starts.
import type { ActionRow } from "@/server/domain/hosts/actions/action-row";
import type { BmcIntent } from "@/server/domain/lifecycle/signals";

export const bmcActions = {
  powerOn: {
    words: "Power on",
    summary: "powers a host on through its BMC",
    consequence: "The BMC powers the host on, and the result is read back. The host's state does not change.",
    danger: false,
    right: "host.power",
    command: "hosts power-on",
  },
  powerOff: {
    words: "Power off",
    summary: "powers a host off through its BMC, without shutting down its system",
    consequence:
      "The BMC powers the host off at once, without shutting down its system, and the result is read back. The host's state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts power-off",
  },
  reboot: {
    words: "Restart host",
    summary: "restarts a host through its BMC, without shutting down its system",
    consequence:
      "The BMC restarts the host at once, without shutting down its system; a host that is off is powered on. The host's state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts reboot",
  },
  softPowerOff: {
    words: "Shut down",
    summary: "asks a host's system to shut down, and waits up to ten minutes",
    consequence:
      "The BMC asks the host's system to shut down. If it has not shut down within ten minutes, the host stays on and reports it. The host's state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts shut-down",
  },
  softReboot: {
    words: "Shut down and restart",
    summary: "asks a host's system to shut down, then powers the host on again",
    consequence:
      "The BMC asks the host's system to shut down, then powers the host on again. If it has not shut down within ten minutes, the host stays on and reports it. The host's state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts soft-reboot",
  },
  injectNmi: {
    words: "Inject NMI",
    summary: "sends an NMI to a host, so that its system writes a dump or enters its debugger",
    consequence:
      "The BMC sends a non-maskable interrupt: the running system writes a dump, stops or restarts, as configured. What it was doing is lost. The host's state does not change.",
    danger: true,
    right: "host.power",
    command: "hosts inject-nmi",
  },
  setBoot: {
    words: "Set boot",
    summary: "sets how a host starts: boot device, boot mode, secure boot",
    consequence:
      "Sets in the BMC how the host starts from its next restart on. The host is not restarted. Each boot that Reclaim orders sets its own boot device. Boot mode and secure boot can be set only in Manageable.",
    danger: true,
    right: "host.power",
    command: "hosts boot",
  },
} as const satisfies Record<BmcIntent, ActionRow>;
