// What a simulated BMC reads from requests and from its own accounts, and how it shows a session.
import { z } from "zod";
import { bmcUsername, json } from "@/server/simulator/bmc/answer";

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

/** The content of a session resource. */
export const sessionBody = (path: string, id: string): string =>
  json({
    "@odata.id": path,
    "@odata.type": "#Session.v1_3_0.Session",
    Id: id,
    Name: "User Session",
    UserName: bmcUsername,
  });
