// The search of the proof desk as it is in an address.
import { z } from "zod";
import { proofSelection } from "@/server/contract/assurance/proof";

export const yes = z.enum(["true", "false"]).transform((text) => text === "true");

export const proofQuery = z.strictObject({ ...proofSelection, exception: yes.optional() });
