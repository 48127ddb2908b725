// The fence: a write is accepted only under the lease in force, from the system that holds it.
import { expect, it } from "vitest";
import { leaseFence } from "@/server/usecases/repair/leases/outside";

const lease = "0f0f0f0f-0000-4000-8000-000000000001";
const other = "0f0f0f0f-0000-4000-8000-000000000002";
const mine = { id: "s1" };

it.each<[string, string | null, string | null, string, RegExp | null]>([
  ["its own", lease, "s1", lease, null],
  ["its own, written large", lease, "s1", lease.toUpperCase(), null],
  ["one that ended", null, null, lease, /no repair system has the host now/],
  ["an earlier one of its own", other, "s1", lease, /under another lease/],
  ["one that another has taken since", other, "s2", lease, /somebody else has the host/],
  ["another's", lease, "s2", lease, /somebody else has the host/],
])("%s", (_, leaseId, systemId, named, words) => {
  const refusal = leaseFence({ leaseId, systemId }, mine, named);
  if (words === null) expect(refusal).toBeNull();
  else
    expect(refusal).toMatchObject({
      ok: false,
      problem: { code: "conflict", detail: expect.stringMatching(words) },
    });
});
