// For tests: NICo's published contract as validators. A member that is not in the contract is also an error.
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

const file = new URL("../contract/nico-openapi.yaml", import.meta.url);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Forbids additional members in every object that names its members. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return isRecord(schema.properties) && schema.additionalProperties === undefined && schema.type === "object"
    ? { ...inner, additionalProperties: false }
    : inner;
}

export interface Contract {
  /** Errors of a body against `#/components/schemas/<name>`, or an array of it; none if it is valid. */
  problems(name: string, body: unknown): string[];
  /** Names of the query parameters of `GET path`. */
  queryParameters(path: string): string[];
}

export function loadContract(): Contract {
  const document: unknown = parse(readFileSync(file, "utf8"));
  if (!isRecord(document) || !isRecord(document.paths)) throw new Error("the contract cannot be read");
  const { paths } = document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "nico", components: closed(document.components) });
  const known = new Map<string, ValidateFunction>();
  const validatorOf = (name: string): ValidateFunction => {
    const validator = known.get(name) ?? ajv.compile({ $ref: `nico#/components/schemas/${name}` });
    known.set(name, validator);
    return validator;
  };
  return {
    problems: (name, body) =>
      (Array.isArray(body) ? body : [body]).flatMap((one: unknown) => {
        const validate = validatorOf(name);
        return validate(one)
          ? []
          : (validate.errors ?? []).map(
              (error) => `${error.instancePath} ${error.message ?? ""} ${JSON.stringify(error.params)}`,
            );
      }),
    queryParameters: (path) => {
      const route = paths[path];
      const get = isRecord(route) ? route.get : undefined;
      const parameters: unknown[] = isRecord(get) && Array.isArray(get.parameters) ? get.parameters : [];
      return parameters
        .filter(isRecord)
        .filter((one) => one.in === "query")
        .map((one) => String(one.name));
    },
  };
}
