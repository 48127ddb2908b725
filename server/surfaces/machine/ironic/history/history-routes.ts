// `/v1/nodes/{ident}/history` (docs/api-ironic.md#history).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { eventType, formatEvent, shortEvent } from "@/server/surfaces/machine/ironic/history/history-text";
import {
  historyOrders,
  readHistory,
  readHistoryRow,
  type HistoryOrder,
  type HistoryRow,
} from "@/server/usecases/hosts/nodes/reading/node-history";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { readFlag, readLimit, readQuery, readUuid } from "@/server/surfaces/machine/ironic/wire/query";

const historySince = 78;
const rowPath = z.object({ ident: z.string(), uuid: z.string() });
const rowId = z.guid();
const known = ["detail", "limit", "marker", "sort_key", "sort_dir"];

interface Place {
  readonly baseUrl: string;
  readonly hostId: string;
}

function view(row: HistoryRow, { baseUrl, hostId }: Place, form: "short" | "detail" | "whole") {
  const event = formatEvent(row);
  const { uuid, created_at, severity } = row;
  const head = { uuid, created_at, severity, event: form === "whole" ? event : shortEvent(event) };
  const links = linksTo(baseUrl, `nodes/${hostId}/history/${uuid}`);
  return form === "short"
    ? { ...head, links }
    : { ...head, event_type: eventType(row), conductor: row.conductor, user: row.user_id, links };
}

function orderOf(query: ReadonlyMap<string, string>): {
  readonly order: HistoryOrder;
  readonly descending: boolean;
} {
  const key = query.get("sort_key") ?? "created_at";
  const order = historyOrders.find((name) => name === key);
  if (order === undefined)
    throw fault(400, `The sort_key value "${key.slice(0, 50)}" is an invalid field for sorting`);
  const direction = query.get("sort_dir") ?? "asc";
  if (direction !== "asc" && direction !== "desc")
    throw fault(
      400,
      `Invalid sort direction: ${direction.slice(0, 50)}. Acceptable values are "asc" or "desc"`,
    );
  return { order, descending: direction === "desc" };
}

export function historyRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const list = async (request: FastifyRequest, always: boolean) => {
    const { actor, version } = ironicRequest(request);
    const query = readQuery(request, known);
    const detail = always || readFlag(query, "detail") === true;
    const page = { ...orderOf(query), limit: readLimit(query), marker: readUuid(query, "marker") ?? null };
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    if (page.marker !== null && (await readHistoryRow(deps.pool, hostId, page.marker)) === null)
      throw fault(404, `Node history record ${page.marker} could not be found.`);
    const rows = await readHistory(deps.pool, hostId, page);
    const last = rows.at(-1);
    const place = { baseUrl: deps.baseUrl, hostId };
    return {
      history: rows.map((row) => view(row, place, detail ? "detail" : "short")),
      ...(last === undefined || rows.length < page.limit
        ? {}
        : { next: nextOf(place, query, page.limit, last.uuid, detail) }),
    };
  };

  app.get("/nodes/:ident/history", since(historySince), async (request, reply) =>
    reply.send(await list(request, false)),
  );
  app.get("/nodes/:ident/history/detail", since(historySince), async (request, reply) =>
    reply.send(await list(request, true)),
  );

  app.get("/nodes/:ident/history/:uuid", since(historySince), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const { ident, uuid } = rowPath.parse(request.params);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, ident, version);
    const row = rowId.safeParse(uuid).success ? await readHistoryRow(deps.pool, hostId, uuid) : null;
    if (row === null) throw fault(404, `Node history record ${uuid.slice(0, 64)} could not be found.`);
    return reply.send(view(row, { baseUrl: deps.baseUrl, hostId }, "whole"));
  });
}

function nextOf(
  { baseUrl, hostId }: Place,
  query: ReadonlyMap<string, string>,
  limit: number,
  marker: string,
  detail: boolean,
): string {
  const kept = ["sort_key", "sort_dir"].flatMap((name) =>
    query.has(name) ? [[name, query.get(name) ?? ""]] : [],
  );
  return `${baseUrl}/v1/nodes/${hostId}/history?${new URLSearchParams([["limit", String(limit)], ["marker", marker], ...(detail ? [["detail", "true"]] : []), ...kept]).toString()}`;
}
