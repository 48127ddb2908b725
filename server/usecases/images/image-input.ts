// What people send about agent images.
import { z } from "zod";

export const imageId = z.uuid("must be the id of an agent image");

/** How far an image is to go; a share of nothing or of all is no share. */
export const rollout = z.discriminatedUnion("stage", [
  z.strictObject({ stage: z.literal("few"), hosts: z.int().min(1).max(100) }),
  z.strictObject({ stage: z.literal("share"), percent: z.number().min(1).max(99) }),
  z.strictObject({ stage: z.literal("all") }),
]);

/** An image as it is added. It begins with a few hosts, always. */
export const newImage = z.strictObject({
  siteId: z.uuid("must be the id of a site"),
  /** Stands in filters and messages, so it has no quotes and no spaces. */
  version: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/, "must be up to 64 letters, digits, dots, dashes, underscores and plus signs"),
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(500).transform((text) => text.replace(/\/+$/, "")).refine((text) => !/[\s"'`\\]/.test(text), "must have no spaces and quotes"),
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits").transform((text) => text.toLowerCase()).nullable().default(null),
  /** Hosts check the signatures that lie beside it, and start nothing that they do not fit. */
  signed: z.boolean().default(false),
  /** To how many hosts it goes first. */
  hosts: z.int().min(1).max(100),
});
