// Names of firmware components and boot entries, as iDRAC, XCC, AMI and NVIDIA's firmware give them.
import { expect, it } from "vitest";
import { nameWithoutAddress } from "@/server/domain/hosts/inventory/name-without-address";

const port = "Broadcom Gigabit Ethernet BCM5720";

it.each([
  [`${port} - D0:94:66:00:00:01`, port],
  [`${port} - d0-94-66-00-00-01`, port],
  ["BIOS", "BIOS"],
  ["D0:94:66:00:00:01", "D0:94:66:00:00:01"],
  ["Dell OS Driver Pack, 21.03.10, A00", "Dell OS Driver Pack, 21.03.10, A00"],
  ["UEFI HTTPv4 (MAC:B8CEF6B8A006)", "UEFI HTTPv4"],
  [
    "UEFI:   SLOT3 (31/0/0) PXE IPv4  Nvidia Network Adapter - 08:C0:EB:53:C9:F0",
    "UEFI:   SLOT3 (31/0/0) PXE IPv4  Nvidia Network Adapter",
  ],
  [
    "(B45/D0/F0) UEFI PXE IPv4 Intel(R) Ethernet Controller X550(MAC:3cecef0102ff)",
    "(B45/D0/F0) UEFI PXE IPv4 Intel(R) Ethernet Controller X550",
  ],
  ["MAC:3CECEF0102FF", "MAC:3CECEF0102FF"],
  ["Samsung SSD 980 S64ANS0T1234", "Samsung SSD 980 S64ANS0T1234"],
])("%s is %s on every host", (name, common) => expect(nameWithoutAddress(name)).toBe(common));
