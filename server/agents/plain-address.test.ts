// Addresses in the forms that sockets, proxies and URLs give them.
import { expect, it } from "vitest";
import { plainAddress } from "@/server/agents/plain-address";

it.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["::FFFF:a00:1", "10.0.0.1"],
  ["[fd00:0:0::1]", "fd00::1"],
  ["FD00::0001", "fd00::1"],
  ["fe80::1%eth0", null],
  ["10.0.0.1/8", null],
  ["010.0.0.1", null],
  ["unknown", null],
  ["", null],
])("%s is %s", (text, plain) => expect(plainAddress(text)).toBe(plain));
