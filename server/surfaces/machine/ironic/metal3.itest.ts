// What baremetal-operator sends before it provisions a host (pkg/provisioner/ironic of metal3-io/baremetal-operator, 2026-08), call by call.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { faultOf, ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";

const fixture = machineServer();
/** It uses the newest version that it knows. */
const { call, get } = ironicCaller(fixture, "provider-admin", 110);

/** From its `register.go`: the interfaces that it always sends, by the scheme of the BMC's address. */
const interfaces = {
  "redfish+http": {
    driver: "redfish",
    boot_interface: "ipxe",
    firmware_interface: "redfish",
    raid_interface: "redfish",
  },
  "redfish-virtualmedia+http": {
    driver: "redfish",
    boot_interface: "redfish-virtual-media",
    firmware_interface: "redfish",
    raid_interface: "redfish",
  },
  "idrac-redfish+http": {
    driver: "idrac",
    bios_interface: "idrac-redfish",
    boot_interface: "ipxe",
    firmware_interface: "redfish",
    management_interface: "idrac-redfish",
    power_interface: "idrac-redfish",
    raid_interface: "idrac-redfish",
    vendor_interface: "idrac-redfish",
  },
  "idrac-virtualmedia+http": {
    driver: "idrac",
    bios_interface: "idrac-redfish",
    boot_interface: "idrac-redfish-virtual-media",
    firmware_interface: "redfish",
    management_interface: "idrac-redfish",
    power_interface: "idrac-redfish",
    raid_interface: "idrac-redfish",
    vendor_interface: "idrac-redfish",
  },
} as const;

let last = 0;

async function register(scheme: keyof typeof interfaces, inspectInterface: string) {
  last += 1;
  const name = `metal3~${"a-long-name.".repeat(20)}${last}`.slice(0, 255);
  const answer = await call("POST", "/v1/nodes", {
    ...interfaces[scheme],
    name,
    driver_info: {
      redfish_address: `http://10.77.0.${last}`,
      redfish_username: "root",
      redfish_password: "calvin",
      redfish_system_id: "/redfish/v1/Systems/1",
    },
    inspect_interface: inspectInterface,
    disable_power_off: false,
    properties: { capabilities: "boot_mode:uefi", cpu_arch: "x86_64" },
  });
  return { name, answer, id: String(answer.body.uuid) };
}

it("asks which versions there are", async () => {
  const { status, body } = await get("/v1/");
  expect([status, body]).toMatchObject([200, { version: { version: "1.112" } }]);
});

it.each(
  Object.keys(interfaces).flatMap((scheme) => [
    [scheme, "agent"],
    [scheme, "redfish"],
  ]),
)(
  "registers a host of %s that is inspected by %s, and finds it again by name and MAC",
  async (scheme, inspectInterface) => {
    const known = Object.keys(interfaces).find((one): one is keyof typeof interfaces => one === scheme);
    expect((await get(`/v1/nodes/metal3~worker-${last}`)).status).toBe(404);
    const { answer, id, name } = await register(known ?? "redfish+http", inspectInterface);
    expect(answer).toMatchObject({
      status: 201,
      body: { name, provision_state: "enroll", inspect_interface: inspectInterface, last_error: null },
    });
    expect((await get(`/v1/nodes/${name}`)).body.uuid).toBe(id);
    const mac = `52:54:00:77:00:0${last}`;
    const byMac = `/v1/ports?address=${encodeURIComponent(mac)}&fields=node_uuid%2Cuuid%2Caddress`;
    expect((await get(byMac)).body).toEqual({ ports: [] });
    const port = { node_uuid: id, address: mac, pxe_enabled: true };
    expect((await call("POST", "/v1/ports", port)).status).toBe(201);
    expect((await get(byMac)).body).toMatchObject({ ports: [{ node_uuid: id, address: mac }] });
    expect((await get(`/v1/ports?node_uuid=${id}&fields=node_uuid%2Cuuid%2Caddress`)).body).toMatchObject({
      ports: [{ address: mac }],
    });
    expect(
      await call("PATCH", `/v1/nodes/${id}`, [
        { op: "add", path: "/driver_info/deploy_kernel", value: "http://172.22.0.1/ipa.kernel" },
        { op: "add", path: "/driver_info/deploy_ramdisk", value: "http://172.22.0.1/ipa.initramfs" },
        { op: "add", path: "/automated_clean", value: true },
        { op: "add", path: "/properties/capabilities", value: "boot_mode:uefi,secure_boot:true" },
      ]),
    ).toMatchObject({ status: 200, body: { automated_clean: true } });
    expect((await get(`/v1/nodes/${id}/validate`)).body).toMatchObject({
      boot: { result: true },
      deploy: { result: true },
    });
    expect((await call("DELETE", `/v1/nodes/${id}`)).status).toBe(204);
    expect((await get(`/v1/nodes/${id}`)).status).toBe(404);
  },
);

it("is refused what Reclaim has not, in the words that it knows from Ironic", async () => {
  const { id } = await register("redfish+http", "agent");
  const unsupported = (extension: string) =>
    `Driver redfish does not support ${extension} (disabled or not implemented).`;
  for (const [method, path, body, words] of [
    ["GET", "vmedia", undefined, unsupported("get_virtual_media")],
    [
      "POST",
      "vmedia",
      { device_type: "cdrom", image_url: "http://x/y.iso" },
      unsupported("attach_virtual_media"),
    ],
    ["DELETE", "vmedia?device_types=cdrom", undefined, unsupported("detach_virtual_media")],
    ["POST", "vendor_passthru?method=create_subscription", {}, unsupported("vendor_passthru")],
    ["DELETE", "vendor_passthru?method=delete_subscription", {}, unsupported("vendor_passthru")],
    ["POST", "vendor_passthru", {}, "Method not specified when calling vendor extension."],
  ] as const) {
    const answer = await call(method, `/v1/nodes/${id}/${path}`, body);
    expect([answer.status, faultOf(answer)], `${method} ${path}`).toEqual([400, words]);
  }
  expect((await call("GET", `/v1/nodes/${randomUUID()}/vmedia`)).status).toBe(404);
});

it("lists which hosts are busy", async () => {
  const { id, name } = await register("redfish+http", "agent");
  const { nodes } = (await get("/v1/nodes?fields=uuid%2Cname%2Cprovision_state%2Cboot_interface")).body;
  expect(nodes).toContainEqual({ uuid: id, name, provision_state: "enroll", boot_interface: "ipxe" });
});

it("gives the children of a node", async () => {
  const { id } = await register("redfish+http", "agent");
  const child = await call("POST", "/v1/nodes", { driver: "redfish", parent_node: id });
  expect((await get(`/v1/nodes/${id}/children`)).body).toEqual({
    children: [child.body.uuid],
    links: { href: `http://reclaim.test/v1/nodes?parent_node=${id}`, rel: "children" },
  });
  expect((await get(`/v1/nodes/${id}/children`, 82)).status).toBe(404);
});
