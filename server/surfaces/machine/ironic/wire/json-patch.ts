// JSON patch as Ironic accepts it: add, replace and remove, on known roots, in order (docs/api-ironic.md#nodes-creating-changing-deleting).
import { applyPatch } from "rfc6902";
import { z } from "zod";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";

const operation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.enum(["add", "replace"]), path: z.string().max(1_000), value: z.json() }),
  // The client also sends a value of null.
  z.strictObject({ op: z.literal("remove"), path: z.string().max(1_000), value: z.json().optional() }),
]);
export const jsonPatch = z.array(operation).max(1_000);
export type JsonPatch = z.output<typeof jsonPatch>;

/** Keys that are never data. */
const forbidden: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const tokensOf = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The first parts of a patch's paths, without duplicates. Throws 400 for an invalid path. */
export function rootsOf(patch: JsonPatch): readonly string[] {
  return [
    ...new Set(
      patch.map(({ path }) => {
        const tokens = tokensOf(path);
        if (!/^(?:\/[^/]+)+$/.test(path) || tokens.some((token) => forbidden.has(token)))
          throw fault(400, `Schema error for patch: '${path.slice(0, 200)}' is not a path`);
        return tokens[0] ?? "";
      }),
    ),
  ];
}

/** Whether each part of the path except the last exists as an own member, not an inherited one. */
function hasParent(document: unknown, path: string): boolean {
  let value = document;
  for (const token of tokensOf(path).slice(0, -1)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return false;
    value = Reflect.get(value, token);
  }
  return typeof value === "object" && value !== null;
}

export interface PatchRules {
  readonly roots: ReadonlySet<string>;
  /** Roots that may be changed but not removed. */
  readonly mandatory: readonly string[];
}

/**
 * The patched document; `document` is not changed. A removed root is missing from the result. Throws 400 for a path that may not be patched,
 * and for the first operation that does not apply, in the client's order.
 */
export function patched(
  document: Readonly<Record<string, unknown>>,
  patch: JsonPatch,
  { roots, mandatory }: PatchRules,
): Record<string, unknown> {
  for (const root of rootsOf(patch))
    if (!roots.has(root))
      throw fault(
        400,
        `Cannot patch /${root.slice(0, 100)}. Only the following can be updated: ${[...roots].sort().join(", ")}`,
      );
  const result = structuredClone({ ...document });
  for (const step of patch) {
    const failed = (why: string) =>
      fault(
        400,
        `Couldn't apply patch '${JSON.stringify({ op: step.op, path: step.path })}'. Reason: ${why}`,
      );
    if (step.op === "remove" && mandatory.some((name) => step.path === `/${name}`))
      throw fault(400, `'${step.path}' is a mandatory attribute and can not be removed`);
    if (!hasParent(result, step.path))
      throw failed(`there is no ${step.path.slice(0, step.path.lastIndexOf("/"))}`);
    const [error] = applyPatch(result, [
      step.op === "remove"
        ? { op: "remove", path: step.path }
        : { op: step.op, path: step.path, value: structuredClone(step.value) },
    ]);
    if (error != null)
      throw failed(error.name === "MissingError" ? `there is no ${step.path}` : error.message);
  }
  return result;
}
