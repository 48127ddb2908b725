// `/boot/image`: the cleaning image that `npm run image` made, for hosts that boot it from here (docs/agent.md#the-image).
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** What iPXE asks for, in the folder or one folder below it: a version by name. Nothing else that lies there is given to anybody. */
const imageFile = /^\/(?:[\w.-]+\/)?(?:vmlinuz|initrd\.img)(?:\.sig)?$/;

/** `folder`: absolute; without one, or without these files in it, the answer is 404. */
export function imageFileRoutes(app: FastifyInstance, folder: string | undefined): void {
  if (folder === undefined) return;
  void app.register(fastifyStatic, {
    root: folder,
    prefix: "/boot/image/",
    index: false,
    cacheControl: false,
    decorateReply: false,
    allowedPath: (path) => imageFile.test(path),
  });
}
