// tpm2-tools on a simulated host, as far as they make and use the keys of its TPM.
import type { TpmTools } from "@/agent/tools/tools";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { done, refusedBy, type ToolCall } from "@/server/simulator/host/tool-call";
import type { SimulatedTpm } from "@/server/simulator/host/tpm/simulated-tpm";

/** Hardware time of a key, and of what else a TPM is asked. */
const keyMs = 300;
const commandMs = 50;

/** What tpm2-tools say where a tenant has set an authorization for the endorsement hierarchy. */
const notAuthorized =
  "ERROR: Esys_CreatePrimary(0x9A2) - tpm:session(1):authorization failure without DA implications";
const wrongCredential = "ERROR: Esys_ActivateCredential(0x1DF) - tpm:parameter(1):integrity check failed";

export function tpmIdentityTools(
  host: SimulatedHost,
  call: ToolCall,
  tpm: SimulatedTpm,
): Pick<TpmTools, "activateCredential" | "endorsementCertificates" | "makeKeys"> {
  return {
    endorsementCertificates: () =>
      call("", commandMs, () => {
        const der = tpm.certificate();
        return done(
          "/usr/bin/tpm2_getcap handles-nv-index",
          der === null ? [] : [{ type: "ecc" as const, der }],
        );
      }),
    makeKeys: (type) => {
      const command = `/usr/bin/tpm2_createek -G ${type}`;
      return call("", keyMs, () =>
        host.tpmOwned ? refusedBy(command, notAuthorized) : done(command, tpm.makeKeys()),
      );
    },
    activateCredential: (credential) =>
      call("", commandMs, () => {
        const command = "/usr/bin/tpm2_activatecredential";
        const secret = tpm.activate(credential);
        return secret === null ? refusedBy(command, wrongCredential) : done(command, secret);
      }),
  };
}
