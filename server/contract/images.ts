// The roll-out of agent images.
import { z } from "zod";
import { rollout } from "@/server/domain/cleaning/image-rollout";
import { imagesPage } from "@/server/contract/answers/images";
import { act, nothing, read, record, siteId } from "@/server/contract/define";

const imageId = z.uuid("must be the id of an agent image");
const ofImage = z.strictObject({ imageId });
const changed = record({ id: z.string() });

/** An address without what would need quotes in a boot script. */
const imageUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .max(500)
  .transform((text) => text.replace(/\/+$/, ""))
  .refine((text) => !/[\s"'`\\]/.test(text), "must have no spaces and quotes");

const version = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/,
    "must be up to 64 letters, digits, dots, dashes, underscores and plus signs",
  );

export const images = {
  list: read({
    title: "the agent image that each site boots, the one it tries, and those before",
    right: "cleaning.read",
    input: nothing,
    output: imagesPage,
  }),
  add: act({
    title: "adds an agent image to a site, for a few hosts first",
    right: "image.rollOut",
    action: "image.add",
    input: z.strictObject({
      siteId,
      /** Stands in filters and messages, so it has no quotes and no spaces. */
      version,
      url: imageUrl,
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
        .transform((text) => text.toLowerCase())
        .nullable()
        .default(null),
      /** Hosts check the signatures that lie beside it, and start nothing that they do not fit. */
      signed: z.boolean().default(false),
      /** To how many hosts it goes first. */
      hosts: z.int().min(1).max(100),
    }),
    output: changed,
  }),
  widen: act({
    title: "gives an agent image to more hosts",
    right: "image.rollOut",
    action: "image.widen",
    input: z.strictObject({ imageId, rollout }),
    output: changed,
  }),
  makeCurrent: act({
    title: "makes an agent image the one that its site boots",
    right: "image.rollOut",
    action: "image.makeCurrent",
    input: ofImage,
    output: changed,
  }),
  withdraw: act({
    title: "takes an agent image back: hosts boot the current one again",
    right: "image.withdraw",
    action: "image.withdraw",
    input: z.strictObject({ imageId, reason: z.string().trim().min(1, "must say why").max(500) }),
    output: changed,
  }),
};
