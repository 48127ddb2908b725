// Serves the console: its server code, and Next with its pages.
import next from "next";
import type { Logger } from "pino";
import type { ServerConfig } from "@/server/config";
import { LiveFeed } from "@/server/db/feed/live-feed";
import { createDatabase } from "@/server/db/prisma";
import { evidenceStoreOf } from "@/server/jobs/evidence-stores";
import { openConsoleServer } from "@/server/surfaces/console/console-server";
import type { RequestListener } from "@/server/surfaces/http/front";
import { openWebBackend } from "@/server/surfaces/web/web-backend";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

/** Makes the console's server code, with its own connections, which are opened on first use. Returns how to close them. */
export function openConsole({
  config,
  logger,
  secrets,
  auditPolicy,
}: Pick<WebBackend, "config" | "logger" | "secrets" | "auditPolicy">): () => Promise<void> {
  const database = createDatabase(config.databaseUrl, {
    max: 10,
    applicationName: `reclaim web ${config.controllerName}`,
  });
  const feed = new LiveFeed(database, config.databaseUrl, (error) =>
    logger.warn({ err: error }, "the live feed could not be read"),
  );
  const evidenceStore = evidenceStoreOf(config);
  const { fakeHardware } = config;
  openConsoleServer(
    openWebBackend({ config, logger, secrets, database, feed, fakeHardware, auditPolicy, evidenceStore }),
  );
  return async () => {
    await feed.close();
    await database.$disconnect();
  };
}

/** Starts Next. Its pages and routes call what `openConsole` makes. */
export async function nextPages(config: ServerConfig, logger: Logger): Promise<RequestListener> {
  const app = next({ dev: false, hostname: config.listen, port: config.port });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      logger.error({ err: error }, "a page failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}
