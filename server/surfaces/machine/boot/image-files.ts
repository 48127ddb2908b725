// `/boot/image`: the cleaning image made by `npm run image`, for hosts that boot it from here (docs/agent.md#the-image).
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** The files that iPXE requests, in the folder or one folder below it (a version by name). Nothing else in it is served. */
const imageFile = /^\/(?:[\w.-]+\/)?(?:vmlinuz|initrd\.img)(?:\.sig)?$/;

/** `folder`: absolute. Without one, or without these files in it, the answer is 404. */
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
