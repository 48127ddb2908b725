// Network addresses by Redfish: of the system's Ethernet interfaces, or else of its network adapters.
import { z } from "zod";
import { networkInterface } from "@/server/domain/inventory/inventory";
import { optionalLink, text } from "@/server/hardware/redfish/resources/references";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

const ethernetInterface = z.object({
  MACAddress: text,
  PermanentMACAddress: text,
  Links: z.object({ HostInterface: optionalLink }).nullish().catch(null),
});

const networkAdapterLinks = z.object({ NetworkDeviceFunctions: optionalLink });

const deviceFunction = z.object({
  Ethernet: z.object({ MACAddress: text, PermanentMACAddress: text }).nullish().catch(null),
});

/** MAC addresses of the host's own ports in lower case, each once. The link between host and BMC is not one of them. */
export async function collectMacs(
  gather: Gather,
  ethernetReference: string | undefined,
  interfacesReference: string | undefined,
): Promise<string[]> {
  const macs = new Set<string>();
  const add = (...found: ReadonlyArray<string | null | undefined>) => {
    const mac = networkInterface.shape.mac.safeParse(
      found.find((value) => value != null && value !== "")?.toLowerCase(),
    );
    if (mac.success && mac.data !== "00:00:00:00:00:00") macs.add(mac.data);
  };
  for (const { body } of await gather.resources(
    await gather.members("network interfaces", ethernetReference),
  )) {
    const parsed = ethernetInterface.safeParse(body);
    if (parsed.success && parsed.data.Links?.HostInterface == null)
      add(parsed.data.PermanentMACAddress, parsed.data.MACAddress);
  }
  if (macs.size > 0) return [...macs];

  // Some BMCs list only the link to themselves there; then the adapters may tell.
  if (interfacesReference !== undefined) {
    for (const { body } of await gather.resources(
      await gather.members("network adapters", interfacesReference),
    )) {
      const functions = networkAdapterLinks.safeParse(body).data?.NetworkDeviceFunctions?.["@odata.id"];
      if (functions === undefined) continue;
      for (const { body: content } of await gather.resources(
        await gather.members("network functions", functions),
      )) {
        const parsed = deviceFunction.safeParse(content);
        if (parsed.success) add(parsed.data.Ethernet?.PermanentMACAddress, parsed.data.Ethernet?.MACAddress);
      }
    }
  }
  if (macs.size === 0) gather.leaveOut("network addresses", "the BMC does not report the host's own ports");
  return [...macs];
}
