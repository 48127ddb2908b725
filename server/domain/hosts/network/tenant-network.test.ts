// Limits on what a tenant can request of its network.
import { expect, it } from "vitest";
import { requestedNetwork } from "@/server/domain/hosts/network/tenant-network";

const vpcId = "10000000-0000-4000-8000-000000000001";
const face = (keys: number) =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, index]));
const faultOf = (interfaces: unknown) =>
  requestedNetwork.safeParse({ vpcId, interfaces }).error?.issues[0]?.message;

it("takes interfaces of up to 32 members, and 16 KiB in all", () => {
  expect(requestedNetwork.parse({ vpcId })).toEqual({ vpcId, interfaces: [] });
  expect(faultOf([face(32)])).toBeUndefined();
  expect(faultOf([{}, face(33)])).toBe("at most 32 members in an interface");
  // 61 times 265 bytes, plus the brackets. In bytes, not in characters.
  const long = (count: number, letter: string, length: number) =>
    Array.from({ length: count }, () => ({ a: letter.repeat(length) }));
  expect(faultOf(long(61, "x", 256))).toBeUndefined();
  expect(faultOf(long(62, "x", 256))).toBe("at most 16 KiB in all");
  expect(faultOf(long(40, "é", 256))).toBe("at most 16 KiB in all");
  expect(faultOf(Array.from({ length: 65 }, () => ({})))).toBe("at most 64 interfaces");
});
