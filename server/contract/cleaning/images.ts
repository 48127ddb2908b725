// The rollout of agent images.
import { z } from "zod";
import { agentImage } from "@/server/domain/cleaning/images/agent-image";
import { rollout } from "@/server/domain/cleaning/images/image-rollout";
import { imagesPage } from "@/server/contract/cleaning/images-answers";
import { act, nothing, read, record, siteId } from "@/server/contract/define";

const imageId = z.guid("must be the id of an agent image");
const ofImage = z.strictObject({ imageId });
const changed = record({ id: z.string() });

export const images = {
  list: read({
    title: "the current agent image of each site, its candidate, and previous ones",
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
      ...agentImage.shape,
      /** Initial rollout size. */
      hosts: z.int().min(1).max(100),
    }),
    output: changed,
  }),
  widen: act({
    title: "rolls an agent image out to more hosts",
    right: "image.rollOut",
    action: "image.widen",
    input: z.strictObject({ imageId, rollout }),
    output: changed,
  }),
  makeCurrent: act({
    title: "makes an agent image the current one of its site",
    right: "image.rollOut",
    action: "image.makeCurrent",
    input: ofImage,
    output: changed,
  }),
  withdraw: act({
    title: "withdraws an agent image: hosts boot the current one again",
    right: "image.withdraw",
    action: "image.withdraw",
    input: z.strictObject({ imageId, reason: z.string().trim().min(1, "must say why").max(500) }),
    output: changed,
  }),
};
