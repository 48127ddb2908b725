// The OpenAPI document is complete, and valid as far as a validator can tell.
import Ajv2020 from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { openApiDocument } from "@/server/surfaces/trpc/openapi";

const document = z
  .looseObject({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
  })
  .parse(openApiDocument());

describe("the OpenAPI document", () => {
  it("has every operation of the contract, once, and is JSON", () => {
    const names = Object.entries(contract).flatMap(([noun, operations]) =>
      Object.keys(operations).map((name) => `${noun}.${name}`),
    );
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids).toEqual(names);
    expect(Object.keys(document.paths)).toEqual(names.map((name) => `/api/trpc/${name}`));
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it("has schemas that a validator of JSON Schema compiles", { tags: "all" }, () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(JSON.parse(JSON.stringify(document)), "urn:reclaim:openapi");
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        const pointer = `urn:reclaim:openapi#/paths/${encodeURIComponent(path.replaceAll("/", "~1"))}/${method}/responses/200/content/application~1json/schema`;
        expect(ajv.getSchema(pointer), path).toBeDefined();
      }
    }
  });

  it("says who may: reads and acts by their right, dispatches by the act", () => {
    expect(document.paths["/api/trpc/images.withdraw"]?.["post"]?.["description"]).toBe(
      "Right `image.withdraw`: operator, provider admin.",
    );
    expect(document.paths["/api/trpc/session.me"]?.["get"]?.["description"]).toBe(
      "For every signed-in user.",
    );
    expect(document.paths["/api/trpc/host.act"]?.["post"]?.["description"]).toBe(
      "Requires the right of the requested act.",
    );
  });
});
