// What a simulated BMC reads of requests, and of its own accounts.
import { z } from "zod";

export const login = z.looseObject({ UserName: z.string(), Password: z.string() });
export const accountList = z.looseObject({ Members: z.array(z.looseObject({ "@odata.id": z.string() })) });
export const accountShown = z.looseObject({ UserName: z.string(), Enabled: z.boolean() });
export const resetBody = z.looseObject({ ResetType: z.string() });
export const bootPatch = z.strictObject({
  Boot: z.strictObject({
    BootSourceOverrideTarget: z.string().optional(),
    BootSourceOverrideEnabled: z.string().optional(),
    BootSourceOverrideMode: z.enum(["UEFI", "Legacy"]).optional(),
  }),
});
