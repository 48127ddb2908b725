// The TPM of a simulated host, as tpm2-tools shows it to the agent.
import { createHash } from "node:crypto";
import type { TpmTools } from "@/agent/tools/tools";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { done, refusedBy, type ToolCall } from "@/server/simulator/host/tool-call";
import type { StartedImage } from "@/server/simulator/host/ipxe";
import { tpmBootTools } from "@/server/simulator/host/tpm/boot-tools";
import { tpmIdentityTools } from "@/server/simulator/host/tpm/identity-tools";
import { SimulatedTpm } from "@/server/simulator/host/tpm/simulated-tpm";

const askMs = 5;
const clearMs = 500;

/** The key that is derived from the owner seed, which a clear changes. */
const ownerKeyOf = ({ blueprint: { serial }, tpmSeed }: SimulatedHost): string =>
  createHash("sha512").update(`${serial} ${tpmSeed}`).digest("hex");

/** A clear by the BMC or the agent. Firmware with the fault accepts it and keeps what it has. */
export function clearTpm(host: SimulatedHost): void {
  host.tpmOwned = false;
  if (host.faults.tpm?.state !== "keeps") host.tpmSeed += 1;
  host.changed();
}

/** `image`: what was started in this boot. */
export function tpmTools(host: SimulatedHost, call: ToolCall, image: StartedImage): TpmTools {
  const fault = () => host.faults.tpm?.state;
  const tpm = new SimulatedTpm(`${host.blueprint.serial} ${host.blueprint.uuid}`);
  return {
    ...tpmIdentityTools(host, call, tpm),
    ...tpmBootTools(host, call, tpm, image),
    found: () => call("", askMs, () => done("read /sys/class/tpm", true)),
    clear: () =>
      call("clear_tpm", clearMs, () => {
        if (fault() === "lockoutSet")
          return refusedBy<true>(
            "/usr/bin/tpm2_clear",
            "Esys_Clear(0x98E) - tpm:session(1):the authorization HMAC check failed and DA counter incremented",
          );
        if (fault() === "clearDisabled")
          return refusedBy<true>(
            "/usr/bin/tpm2_clear",
            "Esys_Clear(0x120) - tpm:error(2.0): the command is disabled",
          );
        clearTpm(host);
        return done<true>("/usr/bin/tpm2_clear", true);
      }),
    state: () =>
      call("", askMs, () =>
        done("/usr/bin/tpm2_getcap properties-variable", {
          ...{ ownerSet: host.tpmOwned, endorsementSet: host.tpmOwned },
          ...{ lockoutSet: fault() === "lockoutSet", clearDisabled: fault() === "clearDisabled" },
        }),
      ),
    ownerKey: () =>
      call("", askMs, () =>
        host.tpmOwned
          ? refusedBy<string>(
              "/usr/bin/tpm2_createprimary",
              "Esys_CreatePrimary(0x9A2) - tpm:session(1):authorization failure without DA implications",
            )
          : done("/usr/bin/tpm2_createprimary", ownerKeyOf(host)),
      ),
    onRequest: () =>
      call("", askMs, () => done("read /sys/class/tpm/tpm0/ppi/tcg_operations", "withPerson" as const)),
  };
}
