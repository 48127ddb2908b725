// Requests to a server that rate-limits: what is retried.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createAsk } from "@/cli/http";

/** A server that answers with these statuses in turn, and repeats the last. */
async function answering(statuses: readonly number[]) {
  let asked = 0;
  const server = createServer((_, response) => {
    response.writeHead(statuses[Math.min(asked, statuses.length - 1)] ?? 500).end("{}");
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

it.each([
  ["asks again what was refused because of a limit", [429, 200], 120_000, 200, 2],
  ["asks once for anything else", [503, 200], 120_000, 503, 1],
  ["leaves it to who follows a stream when to ask again", [429, 200], null, 429, 1],
] as const)("%s", async (_, statuses, limitMs, status, times) => {
  const server = await answering(statuses);
  try {
    const ask = createAsk({ url: server.url, token: null }, new AbortController().signal, limitMs);
    expect([(await ask("/x")).status, server.asked()]).toEqual([status, times]);
  } finally {
    server.stop();
  }
});
