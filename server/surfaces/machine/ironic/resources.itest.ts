// Requests each line of the table "Every resource" (docs/api-ironic.md).
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { addHost } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
const { call } = ironicCaller(fixture, "provider-admin");

const page = readFileSync(new URL("../../../../docs/api-ironic.md", import.meta.url), "utf8");
const table = page.slice(page.indexOf("## Every resource"), page.indexOf("## Not supported"));
const lines = [...table.matchAll(/^\| `([A-Z]+) (.*?)` +\| (\d{3}) /gm)].flatMap(
  ([, method = "", paths = "", status = ""]) =>
    paths.split("`, `").map((path): [string, string, number] => [method, path, Number(status)]),
);

it("has lines", () => expect(lines.length).toBeGreaterThan(40));

it.each(lines)("%s %s: %i", async (method, path, status) => {
  const { id } = await addHost(fixture, "Manageable");
  const address = path
    .replace("{node}", id)
    .replace("{uuid}", "10000000-0000-4000-8000-000000000001")
    .replace("{setting}", "BootMode");
  expect(await call(method, address, method === "GET" ? undefined : {})).toMatchObject({ status });
});
