// The OpenAPI 3.1 document of `/api/trpc`, made from the contract (https://spec.openapis.org/oas/v3.1.1.html).
import { z } from "zod";
import packageJson from "@/package.json";
import { accessTable } from "@/server/domain/access/access";
import { roles, roleTable } from "@/server/domain/access/roles";
import { contract } from "@/server/contract/contract";
import type { Operation } from "@/server/contract/define";
import { problemCodes } from "@/server/domain/problems";

const isReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "$ref" in value;

/** JSON Schema of a shape. Dates are sent as ISO 8601. */
function schemaOf(shape: z.ZodType, io: "input" | "output"): z.core.JSONSchema.BaseSchema {
  const {
    $schema: _,
    $defs: __,
    ...schema
  } = z.toJSONSchema(shape, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "date")
        Object.assign(jsonSchema, { type: "string", format: "date-time" });
    },
  });
  // Only `z.json()` refers to a definition, because it is recursive. It stands for any value.
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => (isReference(value) ? {} : value));
}

/** SuperJSON's envelope (https://github.com/flightcontrolhq/superjson). Programs may omit `meta` from what they send. */
const enveloped = (json: object, required: readonly string[] = ["json"]) => ({
  type: "object",
  required,
  properties: { json, meta: { type: "object", description: "types that JSON does not have" } },
});

const takesNothing = (input: z.ZodType): boolean => input._zod.def.type === "void";

function rightsOf(operation: Operation): string {
  if (operation.kind === "dispatch") return "Requires the right of the requested act.";
  if (operation.right === null) return "For every signed-in user.";
  const right = accessTable[operation.right];
  const may = roles.filter((role) => right[role] !== "none");
  const words = may.map((role) => `${roleTable[role].words}${right[role] === "own" ? " (their own)" : ""}`);
  return `Right \`${operation.right}\`: ${words.join(", ")}.`;
}

function operationObject(noun: string, name: string, operation: Operation) {
  const { input, output, title } = operation;
  const given = takesNothing(input) ? null : enveloped(schemaOf(input, "input"));
  const asked =
    operation.kind === "read"
      ? given !== null && {
          parameters: [
            {
              name: "input",
              in: "query",
              required: true,
              content: { "application/json": { schema: given } },
            },
          ],
        }
      : given !== null && {
          requestBody: { required: true, content: { "application/json": { schema: given } } },
        };
  const answer = {
    type: "object",
    required: ["result"],
    properties: {
      result: {
        type: "object",
        required: ["data"],
        properties: { data: enveloped(schemaOf(output, "output")) },
      },
    },
  };
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    description: rightsOf(operation),
    ...asked,
    responses: {
      200: { description: "Done", content: { "application/json": { schema: answer } } },
      default: { $ref: "#/components/responses/problem" },
    },
  };
}

const problem = {
  type: "object",
  description: "RFC 9457",
  required: ["type", "title", "status", "detail", "code", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { enum: problemCodes },
    requestId: { type: "string" },
    field: { type: "string" },
    faults: { type: "array", items: { type: "object" } },
  },
};

const failure = {
  description: "Refused, or failed",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: {
          error: {
            type: "object",
            properties: {
              json: {
                type: "object",
                properties: {
                  message: { type: "string" },
                  data: { type: "object", properties: { problem: { $ref: "#/components/schemas/problem" } } },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** The document. A query may also be sent as a POST with its input as the body, if the URL would be too long. */
export function openApiDocument(): object {
  const paths = Object.entries(contract).flatMap(([noun, operations]) =>
    Object.entries(operations).map(([name, operation]: [string, Operation]) => {
      const method = operation.kind === "read" ? "get" : "post";
      return [`/api/trpc/${noun}.${name}`, { [method]: operationObject(noun, name, operation) }] as const;
    }),
  );
  return {
    openapi: "3.1.1",
    info: {
      title: "Reclaim",
      version: packageJson.version,
      description:
        "The procedures of the console and of the command `reclaim`. Other interfaces: docs/api.md.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: Object.keys(contract).map((name) => ({ name })),
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "An API token" } },
      schemas: { problem },
      responses: { problem: failure },
    },
  };
}
