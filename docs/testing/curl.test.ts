// What the docs send with curl to the console's API is what the API takes: the operation is there, and its input fits.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "@/server/contract/contract";
import type { Contract } from "@/server/contract/define";

const operations: Contract = contract;
const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
/** An id that the reader puts in. */
const anyId = "00000000-0000-4000-8000-000000000001";

const calls = pages.flatMap((page) =>
  [
    ...readFileSync(`docs/${page}`, "utf8").matchAll(
      /api\/trpc\/(\w+)\.(\w+)\b[^\n]*?(?:\\\n[^\n]*?)?'(?:input=)?(\{"json":.*\})'/g,
    ),
  ].map(([, noun = "", name = "", body = ""]) => ({ page, noun, name, body })),
);

it("finds calls", () => expect(calls.length).toBeGreaterThan(5));

it.each(calls)("$page: $noun.$name", ({ noun, name, body }) => {
  const operation = operations[noun]?.[name];
  expect(operation).toBeDefined();
  const sent: unknown = JSON.parse(body.replaceAll('"…"', `"${anyId}"`));
  expect(operation?.input.safeParse(Object(sent)["json"])).toMatchObject({ success: true });
});
