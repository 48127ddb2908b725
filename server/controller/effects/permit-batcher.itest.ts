// Permits requested together: each host gets its own answer.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, expect, it } from "vitest";
import { fileDatabase } from "@/server/db/testing/file-database";
import { permitEffects } from "@/server/db/hot/hardware/effects";
import type { PermitQuestion } from "@/server/db/hot/hardware/effects";
import { PermitBatcher } from "@/server/controller/effects/permit-batcher";

let pool: Pool;
const siteId = randomUUID();
const mine = randomUUID();

fileDatabase(4, async (started) => {
  pool = started;
  await pool.query("INSERT INTO site (id, name) VALUES ($1, 'site')", [siteId]);
});
beforeEach(async () => {
  await pool.query("DELETE FROM effect");
  await pool.query("DELETE FROM host");
});

/** A leased host with some effects written. */
async function leased(effects: number, changes = ""): Promise<readonly PermitQuestion[]> {
  const hostId = randomUUID();
  await pool.query(
    "INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces) VALUES ($1::uuid, $1::text, $2, 'redfish', $1::text, $1::uuid, $1::text, 'u', '', '{p0}')",
    [hostId, siteId],
  );
  await pool.query(
    "INSERT INTO host_run (host_id, site_id, name, state, generation, lease_owner, lease_until) VALUES ($1, $2, 'h', 'Enroll', 3, $3, now() + interval '60 s')",
    [hostId, siteId, mine],
  );
  if (changes !== "") await pool.query(`UPDATE host_run SET ${changes} WHERE host_id = $1`, [hostId]);
  const questions: PermitQuestion[] = [];
  for (let index = 0; index < effects; index += 1) {
    const effectId = randomUUID();
    await pool.query(
      "INSERT INTO effect (id, host_id, generation, kind, request, request_hash) VALUES ($1, $2, 3, 'network', '{}', '')",
      [effectId, hostId],
    );
    questions.push({
      hostId,
      generation: "3",
      effectId,
      holdMs: 60_000,
      power: true,
      phase: "reset",
      bootEpoch: null,
      resetMark: null,
    });
  }
  return questions;
}

const statuses = async (questions: readonly PermitQuestion[]): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string; status: string }>("SELECT id::text, status FROM effect");
  return questions.map(({ effectId }) => rows.find(({ id }) => id === effectId)?.status ?? "none");
};

it("answers each host by its own fence", async () => {
  const questions = (
    await Promise.all([
      leased(1),
      leased(1, "generation = 4"),
      leased(1, "lease_owner = gen_random_uuid()"),
      leased(1, "lease_until = now() - interval '1 ms'"),
      leased(1, "erasing = true"),
      leased(1),
    ])
  ).flat();
  const desk = new PermitBatcher(pool, mine);
  expect(await Promise.all(questions.map((question) => desk.ask(question)))).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
  expect(await statuses(questions)).toEqual([
    "permitted",
    "written",
    "written",
    "written",
    "written",
    "permitted",
  ]);
});

it("answers several questions about one host, and those that come while it is asking", async () => {
  const two = await leased(2);
  const late = await leased(1);
  const desk = new PermitBatcher(pool, mine);
  const first = Promise.all(two.map((question) => desk.ask(question)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await Promise.all(late.map((question) => desk.ask(question)))).toEqual([true]);
  expect(await first).toEqual([true, true]);
  expect(await statuses([...two, ...late])).toEqual(["permitted", "permitted", "permitted"]);
  expect(await Promise.all(late.map((question) => desk.ask({ ...question, generation: "2" })))).toEqual([
    false,
  ]);
});

it("lets a question that the database does not take fail alone", async () => {
  const [good] = await leased(1);
  const [bad] = await leased(1);
  if (good === undefined || bad === undefined) throw new Error("no effects");
  const desk = new PermitBatcher(pool, mine);
  const [permitted, failed] = await Promise.allSettled([
    desk.ask(good),
    desk.ask({ ...bad, generation: "no number" }),
  ]);
  expect(permitted).toEqual({ status: "fulfilled", value: true });
  expect(failed.status).toBe("rejected");
  expect(await statuses([good, bad])).toEqual(["permitted", "written"]);
});

it("never puts two questions about one host into one statement", async () => {
  await expect(permitEffects(pool, mine, await leased(2))).rejects.toThrow("two permits of one host");
});
