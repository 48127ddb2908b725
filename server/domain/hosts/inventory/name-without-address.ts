// Names that BMCs and firmware give to a network port, without its MAC address: a baseline taken from one host is compared with all of its model.

/** "BCM5720 - D0:94:66:00:00:01" (iDRAC), "UEFI HTTPv4 (MAC:B8CEF6B8A006)" (EDK II). */
const ownAddress =
  /\s*-?\s*(?:\(\s*)?(?:\bMAC\s*[:=]?\s*(?:[0-9a-f]{12}|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})|\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})\b(?:\s*\))?/gi;

/** The name without a MAC address. A name that is only an address stays. Pure. */
export function nameWithoutAddress(name: string): string {
  const common = name.replace(ownAddress, "").trim();
  return common === "" ? name : common;
}
