// Whether a boot entry leads to something that somebody put there.
import { expect, it } from "vitest";
import { isFirmwareOwn } from "@/server/hardware/redfish/resources/device-path";

it.each([
  "VenHw(986D1755-B9D0-4F8D-A0DA-D1DB18672045)",
  "VenHw_B2AD3248_4F72_4950_A966_CFE5062DB83A_02000000",
  "Fv(5C60F367-A505-419A-859E-2A4FF6CA6FE5)/FvFile(7C04A583-9E3E-4F1C-AD65-E05268D0B4D1)",
  "PciRoot(0x0)/Pci(0x1,0x0)/Pci(0x0,0x0)/MAC(E43D1A000001,0x1)/IPv4(0.0.0.0)",
  "PciRoot(0x0)/Pci(0x1,0x0)/MAC(E43D1A000001,0x1)/IPv4(0.0.0.0,0x0,DHCP,0.0.0.0,0.0.0.0,0.0.0.0)/Uri()",
  "PciRoot(0xB)/Pci(0x3,0x0)/NVMe(0x1,01-CA-C7-06-E2-8E-E3-8C)",
])("the firmware's own: %s", (path) => expect(isFirmwareOwn(path)).toBe(true));

it.each([
  null,
  "",
  String.raw`HD(1,GPT,6634D938-1211-4F7A-89C6-A35A60BE1E4A,0x800,0x219800)/\EFI\ubuntu\shimx64.efi`,
  "HD_1_GPT_80230AA1_F37F_46CD_B99B_0B74B0EEBE35_0x800_0x219800_EFI_ubuntu_shimx64_efi",
  "PciRoot(0xB)/Pci(0x3,0x0)/NVMe(0x1,01-CA-C7-06)/HD(1,GPT,94E38211-E018-4486-B793-8577C6B7D036,0x800,0x100000)",
  "PciRoot(0x0)/Pci(0x1,0x0)/MAC(E43D1A000001,0x1)/IPv4(0.0.0.0)/Uri(http://evil.example/a.efi)",
  "PciRoot(0x0)/Pci(0x1,0x0)/MAC(E43D1A000001,0x1)/IPv4(203.0.113.9,0x0,Static,198.51.100.2)",
  "VenHw_B2AD3248_4F72_4950_A966_CFE5062DB83A_EFI_evil_efi",
  "Somebody(1)",
])("not shown to be the firmware's own: %s", (path) => expect(isFirmwareOwn(path)).toBe(false));
