// Serves a captured tree on loopback, so that it is read with the same client as a BMC. It answers GET only.
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative, sep } from "node:path";
import { isObject } from "@/server/domain/json";

export interface TreeServer {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

const served = "redfish/v1";
/** A capture has some thousand resources; a folder with many more files is none. */
const maxFiles = 100_000;

/** How a path is looked up: some BMCs link to themselves in other cases than they answer in. */
const keyOf = (path: string): string =>
  decodeURIComponent(path)
    .replace(/^\/+|\/+$/g, "")
    .toLowerCase();

/** The files of a tree, by the key of their path. Null: it is no tree: it has `index.json` of the service root neither in `redfish/v1` nor in itself. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, string> | null> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  if (found.length > maxFiles) return null;
  const files = new Map<string, string>();
  for (const entry of found)
    if (entry.isFile() && entry.name === "index.json")
      files.set(
        keyOf(relative(folder, entry.parentPath).split(sep).join("/")),
        join(entry.parentPath, entry.name),
      );
  if (files.has(served)) return files;
  if (!files.has("")) return null;
  return new Map([...files].map(([key, file]) => [keyOf(`${served}/${key}`), file]));
}

/** A capture opens no sessions, so its root must not lead to them. */
const withoutSessions = (body: unknown): unknown => {
  if (!isObject(body)) return body;
  const { SessionService: _service, Links: links, ...root } = body;
  const { Sessions: _sessions, ...others } = isObject(links) ? links : {};
  return { ...root, Links: others };
};

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Null: the folder is no captured tree. The folder must not change meanwhile. */
export async function serveTree(folder: string): Promise<TreeServer | null> {
  const files = await filesOf(folder);
  if (files === null) return null;
  const answer = async (method: string, url: string, response: ServerResponse): Promise<void> => {
    if (method !== "GET") return send(response, 405, {});
    const key = keyOf(new URL(url, "http://tree").pathname);
    const file = files.get(key);
    if (file === undefined)
      return send(response, 404, { error: { message: "the tree has no such resource" } });
    const body: unknown = JSON.parse(await readFile(file, "utf8"));
    send(response, 200, key === served ? withoutSessions(body) : body);
  };
  const server: Server = createServer((request, response) => {
    answer(request.method ?? "", request.url ?? "", response).catch((error: unknown) =>
      send(response, 500, { error: { message: String(error) } }),
    );
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
}
