// The JSON Schema of a site document, for editors (docs/adr/0048-site-document.md).
import { z } from "zod";
import { siteDocument } from "@/server/domain/sites/document";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Within the policy nothing is required, because a member that is left out has its default. Members of list entries stay required. */
function withoutRequired(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { required: _, properties, ...rest } = schema;
  return isObject(properties)
    ? {
        ...rest,
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, withoutRequired(property)]),
        ),
      }
    : schema;
}

/** Draft 2020-12. Pure. */
export function siteJsonSchema(): object {
  const { properties, required, ...schema } = z.toJSONSchema(siteDocument, {
    io: "input",
    target: "draft-2020-12",
    unrepresentable: "any",
  });
  return {
    ...schema,
    title: "Site of Reclaim",
    properties: { ...properties, policy: withoutRequired(properties?.policy) },
    required: (required ?? []).filter((name) => name !== "policy"),
  };
}
