// Captured trees on disk, and how links in them are found.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { treeCheckNames } from "@/server/domain/hardware/bmc-report";
import { checkTree } from "@/server/hardware/redfish/check/check-place";
import { serveTree } from "@/server/hardware/redfish/check/tree-server";
import { readCapture } from "@/server/simulator/trees/read-capture";

const { signal } = new AbortController();
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tree-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, content: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

it("checks a captured machine, with the same readers as a BMC", async () => {
  for (const [path, content] of readCapture("dell-poweredge-r750")) await write(path, content);
  const report = await checkTree(folder, null, signal);
  expect(report?.verdict).toBe("works");
  expect(report?.checks.map(({ check }) => check)).toEqual(treeCheckNames);
});

it("names the components whose signed measurements a BMC hands out, and those of which it hands out none", async () => {
  const list = "/redfish/v1/ComponentIntegrity";
  for (const [path, content] of readCapture("dell-poweredge-r750"))
    await write(
      path,
      /^\/?redfish\/v1\/index\.json$/.test(path)
        ? JSON.stringify({
            ...z.looseObject({}).parse(JSON.parse(content)),
            ComponentIntegrity: { "@odata.id": list },
          })
        : content,
    );
  const component = (Id: string, offers: boolean, ComponentIntegrityType = "SPDM") => ({
    Id,
    ComponentIntegrityType,
    ...(offers
      ? {
          Actions: { "#ComponentIntegrity.SPDMGetSignedMeasurements": { target: `${list}/${Id}/Actions/x` } },
        }
      : {}),
  });
  const all = [component("GPU_0", true), component("NIC_0", false), component("TPM_0", true, "TPM")];
  await write(
    `${list}/index.json`,
    JSON.stringify({
      Members: all.map(({ Id }) => ({ "@odata.id": `${list}/${Id}` })),
      "Members@odata.count": 3,
    }),
  );
  for (const one of all) await write(`${list}/${one.Id}/index.json`, JSON.stringify(one));
  const report = await checkTree(folder, null, signal);
  expect(report?.checks.at(-1)).toMatchObject({
    ...{ check: "components", status: "passed" },
    says: "Signed measurements of GPU_0; none of NIC_0.",
  });
});

it("is no tree without a service root", async () => {
  await write("redfish/index.json", "{}");
  expect(await checkTree(folder, null, signal)).toBeNull();
});

it("may begin at the service root, and finds a link in any case of its letters", async () => {
  await write(
    "index.json",
    JSON.stringify({
      Systems: { "@odata.id": "/redfish/v1/Systems" },
      Links: { Sessions: { "@odata.id": "/x" } },
    }),
  );
  await write("Systems/index.json", JSON.stringify({ Name: "list" }));
  const tree = await serveTree(folder);
  try {
    const get = async (path: string) => {
      const response = await fetch(`${tree?.address}${path}`);
      return { status: response.status, body: (await response.json()) as unknown };
    };
    expect(await get("/redfish/v1/")).toMatchObject({ status: 200, body: { Links: {} } });
    expect(await get("/redfish/v1/systems/")).toEqual({ status: 200, body: { Name: "list" } });
    expect(await get("/redfish/v1/../../etc/passwd")).toMatchObject({ status: 404 });
    expect((await fetch(`${tree?.address}/redfish/v1/Systems`, { method: "POST" })).status).toBe(405);
  } finally {
    await tree?.stop();
  }
});
