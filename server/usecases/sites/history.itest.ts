// The history of a site's settings: the difference between any two versions, who changed what last, and what restoring a version brings back.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { roles } from "@/server/domain/access/roles";
import { formatChange } from "@/server/domain/sites/difference";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { applySite } from "@/server/usecases/sites/apply-site";
import { compareVersions, previewRestore } from "@/server/usecases/sites/compare-versions";
import { lastChanges } from "@/server/usecases/sites/site-versions";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.stop());

const admin = () => world.actor("provider-admin");
async function apply(parts: object, secrets: Record<string, string> = {}, reason = "ticket 4711") {
  const applied = await applySite(world.backend, admin(), world.request(), {
    document: stringify({ format: 1, site: "a", ...parts }),
    secrets,
    reason,
  });
  if (!applied.ok) throw new Error(applied.problem.detail);
  return applied.value;
}
const difference = (from: number, to: number | null = null) =>
  compareVersions(world.backend, world.actor("auditor"), { site: "a", from, to });
const restoration = (version: number, shared = false) =>
  previewRestore(world.backend, world.actor("auditor"), { site: "a", version, shared });

const controller = { url: "https://net.test", token: { fromEnv: "NET" } };

describe("versions", () => {
  it("differ, from any to any other or to now, also by what other acts changed since", async () => {
    await apply({ policy: { times: { stateMs: 5 } } });
    await apply({ policy: { times: { stateMs: 6 } } });
    await setSiteAutomatedClean(world.backend, admin(), world.request(), {
      siteId: world.siteId,
      automatedClean: false,
    });
    const words = async (from: number, to?: number | null) => {
      const compared = await difference(from, to);
      return compared.ok ? compared.value.changes.map(formatChange) : compared.problem.code;
    };
    expect(await words(1, 3)).toEqual(["policy.times.stateMs: 1800000 → 6"]);
    expect(await words(3, 2)).toEqual(["policy.times.stateMs: 6 → 5"]);
    expect(await words(2)).toEqual(["policy.automatedClean: true → false", "policy.times.stateMs: 5 → 6"]);
    expect([await words(9), await words(1, 9)]).toEqual(["notFound", "notFound"]);
  });

  it("tell who changed each setting last", async () => {
    await apply({ policy: { times: { stateMs: 5 }, brake: { hosts: 3 } } }, {}, "first");
    await apply({ policy: { times: { stateMs: 6 }, brake: { hosts: 3 } } }, {}, "second");
    const changes = await lastChanges(world.backend, world.actor("operator"), { site: "a" });
    const { name } = admin();
    expect(changes).toMatchObject({
      value: [
        { path: ["policy", "times", "stateMs"], version: 3, byName: name, reason: "second" },
        { path: ["policy", "brake", "hosts"], version: 2, byName: name, reason: "first" },
      ],
    });
    expect(await lastChanges(world.backend, admin(), { site: "b" })).toMatchObject({
      problem: { code: "notFound" },
    });
  });

  it("are read by the provider's people alone", async () => {
    await apply({ policy: { times: { stateMs: 5 } } });
    for (const role of roles) {
      const reads = !role.includes("tenant");
      const actor = world.actor(role);
      const answers = await Promise.all([
        compareVersions(world.backend, actor, { site: "a", from: 1, to: null }),
        previewRestore(world.backend, actor, { site: "a", version: 1, shared: false }),
        lastChanges(world.backend, actor, { site: "a" }),
      ]);
      expect(answers.map((answer) => answer.ok)).toEqual([reads, reads, reads]);
    }
  });
});

describe("a restored version", () => {
  it("is applied with what was shown before, and makes a new version", async () => {
    await apply({ policy: { times: { stateMs: 5 } } });
    const plan = await restoration(1);
    if (!plan.ok) throw new Error(plan.problem.detail);
    expect(plan.value.changes.map(formatChange)).toEqual(["policy.times.stateMs: 5 → 1800000"]);
    const { document, revision } = plan.value;
    const restored = await applySite(world.backend, admin(), world.request(), {
      document: JSON.stringify(document),
      revision,
      reason: "Restore version 1",
    });
    expect(restored).toMatchObject({ value: { version: 3, changes: plan.value.changes } });
    expect(await difference(1)).toMatchObject({ value: { changes: [] } });
  });

  it("of another state of the site than was shown is refused", async () => {
    await apply({ policy: { times: { stateMs: 5 } } });
    const plan = await restoration(1);
    if (!plan.ok) throw new Error(plan.problem.detail);
    await apply({ policy: { times: { stateMs: 6 } } });
    expect(
      await applySite(world.backend, admin(), world.request(), {
        document: JSON.stringify(plan.value.document),
        revision: plan.value.revision,
        reason: "Restore version 1",
      }),
    ).toMatchObject({ problem: { code: "conflict", field: "revision" } });
  });

  it("says that tokens stay, and that a controller that is gone cannot be brought back", async () => {
    await apply({ networkController: controller }, { "env:NET": "one" });
    await apply({ networkController: { ...controller, url: "https://other.test" } }, { "env:NET": "two" });
    expect(await restoration(2)).toMatchObject({
      value: {
        kept: [expect.stringContaining("tokens of the network controller stay")],
        changes: [{ path: ["networkController", "url"], after: "https://net.test" }],
      },
    });
    await apply({});
    expect(await restoration(2)).toMatchObject({
      value: { kept: [expect.stringContaining("Enter it again")], changes: [] },
    });
    expect(await restoration(9)).toMatchObject({ problem: { code: "notFound" } });
  });

  it("brings SKUs and tenants back only where that is asked for", async () => {
    await apply({ policy: { times: { stateMs: 5 } } });
    await world.backend.database.tenant.create({ data: { org: "late", name: "Late" } });
    const without = await restoration(2);
    expect(without).toMatchObject({ value: { kept: [expect.stringContaining("all sites")], changes: [] } });
    const withShared = await restoration(2, true);
    expect(withShared).toMatchObject({
      value: { kept: [], changes: [{ kind: "remove", path: ["tenants", "late"] }] },
    });
  });
});
