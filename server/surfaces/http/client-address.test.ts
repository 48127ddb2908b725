// Which address counts: nobody can choose it with a header, and a configured proxy is trusted.
import { describe, expect, it } from "vitest";
import { clientAddress } from "@/server/surfaces/http/client-address";

const from = (peer: string | undefined, forwarded: string | undefined, proxies: readonly string[]) =>
  clientAddress(
    {
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    },
    proxies,
  );
const ours = ["loopback", "10.0.0.0/24", "fd00::/64"];

describe("a client's address", () => {
  it.each([
    ["the socket's where no proxy is configured", "203.0.113.9", "198.51.100.1", [], "203.0.113.9"],
    ["the socket's where the peer is no proxy", "203.0.113.9", "10.0.0.7", ours, "203.0.113.9"],
    ["whom the proxy names", "127.0.0.1", "198.51.100.1", ours, "198.51.100.1"],
    ["the last that a caller did not write", "127.0.0.1", "6.6.6.6, 198.51.100.1", ours, "198.51.100.1"],
    [
      "not a proxy's that a caller claims to be behind",
      "127.0.0.1",
      "6.6.6.6, 10.0.0.7, 198.51.100.1",
      ours,
      "198.51.100.1",
    ],
    ["found behind a chain of proxies", "127.0.0.1", "198.51.100.1, 10.0.0.7,10.0.0.8", ours, "198.51.100.1"],
    ["the proxy's own where it names nobody", "10.0.0.7", undefined, ours, "10.0.0.7"],
    ["the first proxy's where there are only proxies", "127.0.0.1", "10.0.0.7", ours, "10.0.0.7"],
    ["the same in IPv6's form of it", "::ffff:127.0.0.1", "::ffff:198.51.100.1", ours, "198.51.100.1"],
    ["without a port", "127.0.0.1", "198.51.100.1:4711", ours, "198.51.100.1"],
    ["without brackets", "fd00::1", "[2001:db8::5]:4711", ours, "2001:db8::5"],
    ["unknown where the proxy names no address", "127.0.0.1", "198.51.100.1, somebody", ours, "unknown"],
    ["empty for a socket that is gone", undefined, "198.51.100.1", ours, ""],
  ])("is %s", (_what, peer, forwarded, proxies, expected) =>
    expect(from(peer, forwarded, proxies)).toBe(expected),
  );
});
