// A BMC for tests: a real HTTP server over a captured tree, with mutable state and faults that can be switched on.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readCapture } from "@/server/simulator/trees/read-capture";

export const trees = {
  dell: "dell-poweredge-r750",
  lenovo: "lenovo-thinksystem-sr670",
} as const;
export type TreeName = keyof typeof trees;

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request instead of the BMC; false lets the BMC answer. */
export type Fault = (request: Received, response: ServerResponse) => boolean;

type Json = Record<string, unknown>;

export class TreeBmc {
  readonly received: Received[] = [];
  readonly sessions = new Map<string, string>();
  password = "calvin-1";
  power = "On";
  /** When the host was last reset; until a reset, the tree's own value. Not reported if the tree has none. */
  lastReset: string | null = null;
  /** What its web server tells as its time; undefined: the right time; null: nothing. */
  date: string | null | undefined;
  /** False: resets do not change the time of the last reset. */
  tellsResets = true;
  boot: Json = { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" };
  version = 1;
  /** False: the tree's own answers, also to actions. */
  acts = true;
  /** What `Once` reads back as. */
  onceReads = "Once";
  requiresIfMatch = false;
  /** Sends weak versions but accepts only strong ones. */
  comparesStrongly = false;
  /** The task returned for a reset; null: none. */
  task: Json | null = null;
  /** False: its service root offers no `$expand`. */
  expands = false;
  /** Contents that replace those of the tree, also where they are expanded. */
  readonly replaced = new Map<string, Json>();
  /** Whether a change is answered with the system as it is afterwards. */
  tellsChanges = false;
  fault: Fault | null = null;
  /** Concurrent requests now, and the maximum so far. */
  atATime = { now: 0, most: 0 };

  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #files: ReadonlyMap<string, string>;
  #sessionCount = 0;

  private constructor(
    tree: TreeName,
    readonly systemPath: string,
  ) {
    // The simulator uses the same captures. Only its reader for them is shared here.
    this.#files = readCapture(trees[tree]);
  }

  static async start(tree: TreeName): Promise<TreeBmc> {
    const bmc = new TreeBmc(
      tree,
      tree === "dell" ? "/redfish/v1/Systems/System.Embedded.1" : "/redfish/v1/Systems/1",
    );
    await new Promise<void>((resolve) => bmc.#server.listen(0, "127.0.0.1", resolve));
    return bmc;
  }

  get address(): string {
    // An address of a server that listens on TCP is always an object.
    const { port } = this.#server.address() as AddressInfo;
    return `http://bmc-under-test.localhost:${port}`;
  }

  /** What arrived since the last call, as lines such as `GET /redfish/v1/Systems/1`. */
  takeLines(): string[] {
    return this.received.splice(0).map(({ method, path }) => `${method} ${path}`);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.atATime.now += 1;
    this.atATime.most = Math.max(this.atATime.most, this.atATime.now);
    response.once("close", () => (this.atATime.now -= 1));
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const received: Received = {
      method: request.method ?? "",
      path: decodeURIComponent(request.url ?? ""),
      headers: request.headers,
      body,
    };
    this.received.push(received);
    if (this.fault?.(received, response) === true) return;
    this.#answer(received, response);
  }

  #answer(request: Received, response: ServerResponse): void {
    const { method, path } = request;
    if (method === "POST" && path === "/redfish/v1/SessionService/Sessions")
      return this.#signIn(request, response);
    if (path !== "/redfish/v1/" && !this.#mayPass(request))
      return send(response, 401, message("Base.1.12.NoValidSession", "There is no valid session."));
    if (method === "DELETE") return send(response, this.#endSession(path) ? 204 : 404);
    if (method === "PATCH" && path === this.systemPath) return this.#patch(request, response);
    if (method === "POST" && path === `${this.systemPath}/Actions/ComputerSystem.Reset`)
      return this.#reset(request, response);
    const [bare = "", query] = path.split("?", 2);
    const content = method !== "GET" ? null : bare === taskPath ? this.task : this.#content(bare);
    if (content === null)
      return send(response, 404, message("Base.1.12.ResourceMissingAtURI", `Nothing is at ${path}.`));
    const expand = /^\$expand=\.\(\$levels=([12])\)$/.exec(query ?? "")?.[1];
    if (expand !== undefined) return send(response, 200, this.#expanded(content, Number(expand)));
    if (path !== this.systemPath) return send(response, 200, content);
    this.#sendSystem(response);
  }

  /** The content at a path, or an empty object. */
  contentOf(path: string): Json {
    return this.#content(path) ?? {};
  }

  /** Null if the tree has nothing there. */
  #content(path: string): Json | null {
    const place = path.replace(/\/$/, "");
    const file = this.#files.get(`${place.slice(1)}/index.json`);
    const content =
      this.replaced.get(place) ?? (file === undefined ? null : (JSON.parse(file.toString()) as Json));
    if (content === null || place !== "/redfish/v1" || this.expands) return content;
    const { ProtocolFeaturesSupported: _features, ...root } = content;
    return root;
  }

  /** Expands the links of lists, and of their members' lists if two levels are requested. */
  #expanded(content: Json, levels: number): Json {
    const items = (list: unknown) =>
      Array.isArray(list)
        ? list.map((item: Json) => {
            const linked = this.#content(String(item["@odata.id"])) ?? item;
            return levels > 1 ? this.#expanded(linked, levels - 1) : linked;
          })
        : list;
    return {
      ...content,
      ...("Members" in content ? { Members: items(content["Members"]) } : {}),
      ...("Drives" in content ? { Drives: items(content["Drives"]) } : {}),
    };
  }

  #sendSystem(response: ServerResponse): void {
    // The tree's own content, which was checked by its @odata.id when it was read.
    const system = this.#content(this.systemPath) as Json & { Boot: Json };
    const etag = this.etag;
    if (this.date === null) response.sendDate = false;
    send(
      response,
      200,
      {
        ...system,
        "@odata.etag": etag,
        PowerState: this.power,
        ...("LastResetTime" in system && this.lastReset !== null ? { LastResetTime: this.lastReset } : {}),
        Boot: { ...system.Boot, ...this.boot },
      },
      { etag, ...(this.date == null ? {} : { date: this.date }) },
    );
  }

  get etag(): string {
    return `W/"${this.version}"`;
  }

  #signIn({ body }: Received, response: ServerResponse): void {
    // Anything else than the right credential is refused.
    const { UserName, Password } = JSON.parse(body) as Json;
    if (UserName !== "root" || Password !== this.password)
      return send(response, 401, message("Base.1.12.NoValidSession", "The credential is wrong."));
    this.#sessionCount += 1;
    const uri = `/redfish/v1/SessionService/Sessions/${this.#sessionCount}`;
    const token = `token-${this.#sessionCount}`;
    this.sessions.set(token, uri);
    send(response, 201, { "@odata.id": uri }, { "x-auth-token": token, location: uri });
  }

  #mayPass({ headers }: Received): boolean {
    const token = headers["x-auth-token"];
    if (typeof token === "string") return this.sessions.has(token);
    return headers.authorization === `Basic ${Buffer.from(`root:${this.password}`).toString("base64")}`;
  }

  #endSession(uri: string): boolean {
    const found = [...this.sessions].find(([, known]) => known === uri);
    return found !== undefined && this.sessions.delete(found[0]);
  }

  #patch({ headers, body }: Received, response: ServerResponse): void {
    const match = headers["if-match"];
    if (this.requiresIfMatch && match === undefined)
      return send(response, 428, message("Base.1.12.PreconditionRequired", "If-Match is missing."));
    if (match !== undefined && match !== (this.comparesStrongly ? this.etag.slice(2) : this.etag))
      return send(response, 412, message("Base.1.12.PreconditionFailed", "The resource has changed."));
    const { Boot } = JSON.parse(body) as { Boot: Json };
    if (this.acts) {
      this.boot = {
        ...this.boot,
        ...Boot,
        ...(Boot["BootSourceOverrideEnabled"] === "Once"
          ? { BootSourceOverrideEnabled: this.onceReads }
          : {}),
      };
      this.version += 1;
    }
    if (this.tellsChanges) return this.#sendSystem(response);
    send(response, 204);
  }

  #reset({ body }: Received, response: ServerResponse): void {
    const { ResetType } = JSON.parse(body) as Json;
    if (this.acts) {
      if (ResetType === "On" && this.power === "On")
        return send(response, 409, message("IDRAC.2.8.PSU501", "The server is already on."));
      if (ResetType !== "ForceOff" && this.tellsResets) this.lastReset = new Date().toISOString();
      if (ResetType === "ForceOff") this.power = "Off";
      else if (ResetType === "On" || this.power === "On") this.power = "On";
      this.version += 1;
    }
    if (this.task === null) send(response, 204);
    else send(response, 202, this.task, { location: taskPath });
  }
}

/** The path of the task of a reset. */
export const taskPath = "/redfish/v1/TaskService/Tasks/7";

/** A Redfish error body. */
export function message(id: string, words: string): Json {
  return {
    error: {
      code: "Base.1.12.GeneralError",
      message: "A general error has occurred.",
      "@Message.ExtendedInfo": [{ MessageId: id, Message: words }],
    },
  };
}

export function send(
  response: ServerResponse,
  status: number,
  body: Json | string = "",
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
