// What a site asks of the TPMs of its hosts.
import { z } from "zod";

/** `off`: no TPM is asked. `observe`: results are recorded and shown, and hold no host. */
export const attestationModes = ["off", "observe"] as const;
export const attestationMode = z.enum(attestationModes);
export type AttestationMode = z.infer<typeof attestationMode>;
