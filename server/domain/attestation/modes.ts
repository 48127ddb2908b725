// What a site asks of the TPMs of its hosts.
import { z } from "zod";

/** `off`: no TPM is asked. `observe`: results are recorded and shown, and hold no host. `required`: an agent that was not measured gets no step. */
export const attestationModes = ["off", "observe", "required"] as const;
export const attestationMode = z.enum(attestationModes);
export type AttestationMode = z.infer<typeof attestationMode>;
