// tpm2_quote on a simulated host, and the event log that its kernel shows. A fault of a boot is that of its start: one that is set later shows at the next one.
import type { TpmTools } from "@/agent/tools/tools";
import type { StartedImage } from "@/server/simulator/host/ipxe";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { done, refusedBy, type ToolCall } from "@/server/simulator/host/tool-call";
import { bootEvents, type BootChanges } from "@/server/simulator/host/tpm/boot-events";
import { eventLogOf, registersOf } from "@/server/simulator/host/tpm/event-log";
import type { Clock } from "@/server/simulator/host/tpm/quote";
import type { SimulatedTpm } from "@/server/simulator/host/tpm/simulated-tpm";

const quoteMs = 300;
const readMs = 5;
const logFile = "read /sys/kernel/security/tpm0/binary_bios_measurements";

const beganMs = Date.parse("2020-01-01T00:00:00Z");

/** The second of the last reset stands for their count: it grows with each, also over a restart of the simulator. */
const clockOf = (host: SimulatedHost): Clock => ({
  ms: host.bmcTime().getTime() - beganMs,
  resets: Math.floor((Date.parse(host.lastResetAt) - beganMs) / 1_000),
});

const asItShouldBe: BootChanges = { firmware: false, kernel: false };

export function tpmBootTools(
  host: SimulatedHost,
  call: ToolCall,
  tpm: SimulatedTpm,
  image: StartedImage,
): Pick<TpmTools, "eventLog" | "quote"> {
  const mode = host.faults.measuredBoot?.mode;
  const earlier = host.quoted;
  const changes = {
    firmware: mode === "changedFirmware",
    kernel: mode === "otherImage" || mode === "forgedLog",
  };
  const quoted = (nonce: Uint8Array, pcrs: readonly number[]) =>
    tpm.quote(nonce, pcrs, registersOf(bootEvents(host, image, changes)), clockOf(host));
  return {
    quote: (nonce, pcrs) =>
      call("", quoteMs, () => {
        const command = `/usr/bin/tpm2_quote -l sha256:${pcrs.join(",")}`;
        if (mode === "silent")
          return refusedBy(
            command,
            "ERROR: Esys_Quote(0x922) - tpm:warn(2.0): the TPM was not able to start the command",
          );
        if (mode === "replaysQuote") {
          // On a host without an earlier one: made before anybody asked.
          const old = earlier ?? quoted(new Uint8Array(nonce.length), pcrs);
          if (old !== null) return done(command, old);
        }
        const quote = quoted(nonce, pcrs);
        if (quote === null) return refusedBy(command, "ERROR: Unable to load the attestation key");
        host.quoted = quote;
        return done(command, quote);
      }),
    eventLog: () =>
      call("", readMs, () =>
        done(
          logFile,
          mode === "noEventLog"
            ? null
            : // A forged one tells of our kernel.
              eventLogOf(bootEvents(host, image, mode === "forgedLog" ? asItShouldBe : changes)),
        ),
      ),
  };
}
