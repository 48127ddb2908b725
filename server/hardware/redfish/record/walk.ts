// Reads all that a Redfish service links to, with the client that reads BMCs: at most two requests at a time, and within limits.
import { z } from "zod";
import { isObject } from "@/server/domain/json";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { RedfishError } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { droppedAs, unreadAs } from "@/server/hardware/redfish/record/kinds";
import { pathOf } from "@/server/hardware/redfish/resources/references";

export interface Walked {
  /** Answers by path, without a slash at the end. */
  readonly resources: ReadonlyMap<string, unknown>;
  /** What was not read or not kept on purpose, and how many links led to it. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** What the BMC did not give. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  /** Why it broke off; null: all was read. */
  readonly brokeOff: string | null;
}

/** A capture of a large server has some thousand resources. More, or larger, is a service without end. */
export const walkLimits = { resources: 10_000, bytes: 256 * 1024 * 1024, pages: 32, depth: 100 } as const;

/** Whether a value has more levels than a resource may have. */
function isTooDeep(value: unknown, levels: number = walkLimits.depth): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

const root = "/redfish/v1";
const file = z.object({
  Registry: z.string().catch(""),
  Id: z.string().catch(""),
  Location: z.array(z.object({ Uri: z.string() }).nullable().catch(null)).catch([]),
});

/** The resource that a link leads to: without query, fragment, and slash at the end. Null: none of this service. */
function placeOf(reference: unknown): string | null {
  const path = typeof reference === "string" ? pathOf(reference) : null;
  const place = path?.replace(/[?#].*$/, "").replace(/\/+$/, "") ?? null;
  return place !== null && (place.toLowerCase() === root || place.toLowerCase().startsWith(`${root}/`))
    ? place
    : null;
}

function linksOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    member === "@odata.id" || member === "@Redfish.ActionInfo" ? (placeOf(inner) ?? []) : linksOf(inner),
  );
}

const isGone = ({ kind, status }: RedfishError): boolean => kind === "unreachable" && status === null;

/** After this many requests in a row without an answer the BMC is gone. */
const maxSilent = 4;

export class Walk {
  readonly #client: RedfishClient;
  readonly #call: Call;
  readonly #resources = new Map<string, unknown>();
  readonly #leftOut = new Map<string, number>();
  readonly #refused: { path: string; why: string }[] = [];
  readonly #seen = new Set<string>();
  readonly #queue: string[] = [];
  /** Files of registries by the name of the registry: most belong to the standard, so only those that a resource names are read. */
  readonly #registries = new Map<string, string>();
  #bytes = 0;
  #silent = 0;

  constructor(client: RedfishClient, call: Call) {
    this.#client = client;
    this.#call = call;
  }

  async read(): Promise<Walked> {
    this.#add(root);
    const brokeOff = await this.#readAll();
    return { resources: this.#resources, leftOut: this.#leftOut, refused: this.#refused, brokeOff };
  }

  async #readAll(): Promise<string | null> {
    for (;;) {
      const batch = this.#queue.splice(0, 2);
      if (batch.length === 0 && !this.#addRegistries()) return null;
      await Promise.all(batch.map((path) => this.#readOne(path)));
      if (this.#silent >= maxSilent) return "the BMC stopped answering";
      if (this.#client.remainingMs(this.#call) <= 0) return "the time limit was reached";
      if (this.#call.options.signal?.aborted === true) return "it was stopped";
      if (this.#resources.size > walkLimits.resources)
        return `the service has more than ${walkLimits.resources} resources`;
      if (this.#bytes > walkLimits.bytes)
        return `the answers are larger than ${walkLimits.bytes / 1024 / 1024} MiB`;
    }
  }

  #add(path: string): void {
    const key = path.toLowerCase();
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const what = unreadAs(path);
    if (what === null) this.#queue.push(path);
    else this.#leave(what);
  }

  #leave(what: string): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
  }

  async #readOne(path: string): Promise<void> {
    const replied = await this.#client.get(this.#call, path === root ? `${root}/` : path);
    if (!replied.ok) {
      this.#silent = isGone(replied.error) ? this.#silent + 1 : 0;
      this.#refused.push({ path, why: replied.error.message });
      return;
    }
    this.#silent = 0;
    const body = await this.#withAllPages(path, replied.answer.body);
    if (isTooDeep(body)) {
      this.#refused.push({ path, why: `it has more than ${walkLimits.depth} levels` });
      return;
    }
    const type = isObject(body) ? body["@odata.type"] : null;
    const what = droppedAs(type);
    if (what !== null) return this.#leave(what);
    this.#keep(path, body);
    if (/^#MessageRegistryFile\./.test(String(type))) this.#noteRegistry(body);
  }

  #keep(path: string, body: unknown): void {
    this.#resources.set(path, body);
    this.#bytes += JSON.stringify(body).length;
    for (const found of linksOf(body)) this.#add(found);
  }

  /** A list with all its members, as if it had one page: a folder has no pages. A page that is missing leaves it with fewer members than it counts. */
  async #withAllPages(path: string, first: unknown): Promise<unknown> {
    if (!isObject(first) || !Array.isArray(first["Members"])) return first;
    const { "Members@odata.nextLink": link, ...list } = first;
    const members: unknown[] = [...first["Members"]];
    const visited = new Set([path]);
    let next = typeof link === "string" ? pathOf(link) : null;
    const cut = (why: string) =>
      this.#refused.push({ path, why: `a page of its members is missing: ${why}` });
    while (next !== null) {
      const key = next.replace(/\/+$/, "");
      if (visited.has(key)) {
        cut("it names a page again that was read");
        break;
      }
      visited.add(key);
      if (visited.size > walkLimits.pages) {
        cut(`it has more than ${walkLimits.pages} pages`);
        break;
      }
      const replied = await this.#client.get(this.#call, next);
      const page = replied.ok ? replied.answer.body : null;
      if (!isObject(page) || !Array.isArray(page["Members"])) {
        cut(replied.ok ? "it has no members" : replied.error.message);
        break;
      }
      members.push(...page["Members"]);
      const further = page["Members@odata.nextLink"];
      next = typeof further === "string" ? pathOf(further) : null;
    }
    return { ...list, Members: members };
  }

  #noteRegistry(body: unknown): void {
    const { data } = file.safeParse(body);
    const place = data?.Location.flatMap((where) => placeOf(where?.Uri) ?? [])[0];
    if (data === undefined || place === undefined) return;
    for (const name of [data.Registry, data.Id]) if (name !== "") this.#registries.set(name, place);
  }

  /** Adds the registries of attributes that a resource names. False: there is nothing more to read. */
  #addRegistries(): boolean {
    for (const body of [...this.#resources.values()]) {
      const name = isObject(body) ? body["AttributeRegistry"] : null;
      const place = typeof name === "string" ? this.#registries.get(name) : undefined;
      if (place !== undefined) this.#add(place);
    }
    return this.#queue.length > 0;
  }
}
