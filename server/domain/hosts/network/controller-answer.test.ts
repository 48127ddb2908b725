// Each way in which a site's network controller fails to provide networks has its own message.
import { describe, expect, it } from "vitest";
import {
  networkTrouble,
  type NetworkAnswer,
  type NetworkFacts,
} from "@/server/domain/hosts/network/controller-answer";

const now = Date.parse("2026-11-23T10:00:00Z");
const facts: NetworkFacts = {
  interfaces: 2,
  hasController: true,
  answer: null,
  accepted: null,
  trouble: null,
};
const accepted = { network: "tenant", ms: now - 720_000, waiting: "waiting for dpu-1" };
const done = { ...accepted, waiting: null };
const answered = (status: number, allows: readonly string[] | null = null): NetworkAnswer => ({
  kind: "answered",
  status,
  allows,
});
const lost = (cause: Extract<NetworkAnswer, { kind: "lost" }>["cause"]): NetworkAnswer => ({
  kind: "lost",
  cause,
  reason: "THE REASON",
});
const of = (changed: Partial<NetworkFacts>) => networkTrouble({ ...facts, ...changed }, now);

describe("networkTrouble", () => {
  const troubles: readonly [string, Partial<NetworkFacts>, RegExp][] = [
    ["no controller", { hasController: false, interfaces: 0 }, /has no network controller/],
    ["no interface", { interfaces: 0 }, /No network interface of the node is known/],
    ["a timeout", { answer: lost("timeout") }, /does not respond: THE REASON/],
    ["no connection", { answer: lost("connection") }, /cannot be reached: THE REASON/],
    ["an address that is not allowed", { answer: lost("forbidden") }, /is not allowed: THE REASON/],
    ["a certificate", { answer: lost("untrusted") }, /certificate is not accepted: THE REASON/],
    ["another failure", { answer: lost("other") }, /could not be called: THE REASON/],
    ["401", { answer: answered(401) }, /rejected Reclaim's token with 401/],
    ["404", { answer: answered(404) }, /responded with 404: it does not serve this host's network address/],
    ["a redirect", { answer: answered(302) }, /responded with 302, and redirects are not followed/],
    ["503", { answer: answered(503) }, /responded with 503\. Check that it works/],
    ["another server", { answer: answered(204, ["GET", "HEAD"]) }, /accepts GET, HEAD but not PUT/],
    ["silence", { answer: answered(204, ["PUT"]), accepted }, /tenant network 12 min ago.*waiting for dpu-1/],
    [
      "the last request",
      { answer: answered(405), trouble: "PUT was answered 503" },
      /carry out the request: PUT was answered 503/,
    ],
  ];

  it.each(troubles)("%s", (_what, changed, words) => expect(of(changed)).toMatch(words));

  it("says each of them differently", () => {
    const said = troubles.map(([, changed]) => of(changed));
    expect(new Set(said).size).toBe(troubles.length);
  });

  it.each([
    ["it was not asked", {}],
    ["it takes PUT", { answer: answered(204, ["OPTIONS", "PUT"]) }],
    ["it names no methods", { answer: answered(200) }],
    ["it knows no OPTIONS", { answer: answered(405, ["PUT"]) }],
    ["it has nothing to say to the question", { answer: answered(501) }],
    ["every interface acknowledged", { answer: answered(204), accepted: done }],
    ["interfaces have a minute", { accepted: { ...accepted, ms: now - 59_000 } }],
    ["one that took this host's request knows no other method", { answer: answered(404), accepted: done }],
  ] as const)("nothing where %s", (_what, changed) => expect(of(changed)).toBeNull());

  it("names what it says now before what it said last", () =>
    expect(of({ answer: lost("timeout"), trouble: "an old answer" })).toMatch(/does not respond/));
});
