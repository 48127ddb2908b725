// What a boot entry leads to, by its UEFI device path in text form (UEFI specification, section 10.6, "UEFI Device Path Display Format").

/** Hardware, and what is in the firmware itself. A partition (`HD`), a file or an address is something that somebody put there. */
const hardware = /^(?:PciRoot|Pci|Acpi|Ctrl|MAC|NVMe|Sata|SAS|SCSI|USB|Unit|Fv|FvFile|VenHw)\([^()\\/]*\)$/;

/** The network without an address: it boots from wherever DHCP says. */
const anyNetwork = /^(?:IPv[46]\((?:[0:.x,]|DHCP)*\)|Uri\(\))$/;

/** Lenovo writes `_` for every other character. */
const underscored = /^VenHw(?:_[0-9A-F]+)+$/;

/** Whether the firmware made the entry for what it has itself. An unknown path is not shown to be one. Pure. */
export function isFirmwareOwn(devicePath: string | null | undefined): boolean {
  if (devicePath == null) return false;
  return (
    underscored.test(devicePath) ||
    devicePath.split("/").every((node) => hardware.test(node) || anyNetwork.test(node))
  );
}
