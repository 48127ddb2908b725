// One form for each network address, in which two can be compared.
import { isIP } from "node:net";

/**
 * IPv4, also where it was written as IPv6; IPv6 as WHATWG's URL writes it. With or without brackets. Null: not an address, or one with a zone, which
 * says nothing of who sends from it.
 */
export function plainAddress(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
  switch (isIP(bare)) {
    case 4:
      return bare;
    case 6:
      return bare.includes("%") ? null : unmapped(new URL(`http://[${bare}]`).hostname.slice(1, -1));
    default:
      return null;
  }
}

/** `::ffff:7f00:1` is 127.0.0.1. */
function unmapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join(".");
}
