// Where a boot entry leads, from its UEFI device path in text form (UEFI specification, section 10.6, "UEFI Device Path Display Format").

/** Hardware, and what is in the firmware itself. A partition (`HD`), a file or an address is something that somebody put there. */
const hardware = /^(?:PciRoot|Pci|Acpi|Ctrl|MAC|NVMe|Sata|SAS|SCSI|USB|Unit|Fv|FvFile|VenHw)\([^()\\/]*\)$/;

/** Network without an address: it boots from wherever DHCP says. */
const anyNetwork = /^(?:IPv[46]\((?:[0:.x,]|DHCP)*\)|Uri\(\))$/;

/** Lenovo replaces all punctuation with `_`. */
const underscored = /^VenHw(?:_[0-9A-F]+)+$/;

/** Whether the firmware made the entry for something of its own. False for an unknown path. */
export function isFirmwareOwn(devicePath: string | null | undefined): boolean {
  if (devicePath == null) return false;
  return (
    underscored.test(devicePath) ||
    devicePath.split("/").every((node) => hardware.test(node) || anyNetwork.test(node))
  );
}

/** Whether the entry names the address that it boots from, which DHCP then has no say in. */
export const leadsToAddress = (devicePath: string | null | undefined): boolean =>
  /Uri\([^)\s]/.test(devicePath ?? "");
