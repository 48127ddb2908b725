// An agent image: its version, its address, and how hosts verify it (docs/cleaning.md#new-agent-images).
import { z } from "zod";

/** An address without characters that would need quoting in a boot script. */
const imageUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .max(500)
  .transform((text) => text.replace(/\/+$/, ""))
  .refine((text) => !/[\s"'`\\]/.test(text), "must not contain spaces or quotes");

/** Whose agent the image contains. Ironic's proves nothing (docs/adr/0087-the-ironic-agent-as-a-guest.md). */
export const imageKind = z.enum(["reclaim", "ironic"]);
export type ImageKind = z.infer<typeof imageKind>;

export const agentImage = z.strictObject({
  /** Used in filters and messages, so it has no quotes and no spaces. */
  version: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/,
      "must be up to 64 letters, digits, dots, dashes, underscores and plus signs",
    ),
  url: imageUrl,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
    .transform((text) => text.toLowerCase())
    .nullable()
    .default(null),
  /** Hosts verify the signature files next to the image, and start nothing that does not match. */
  signed: z.boolean().default(false),
  kind: imageKind.default("reclaim"),
});
export type AgentImageFacts = z.infer<typeof agentImage>;
