// What two people expect of the boots of a test host's hardware.
import { randomUUID } from "node:crypto";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import type { MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";

/** A bundle for the hardware of `addHost`. @param decision null: it waits for its approval */
export async function addBundle(
  fixture: MachineFixture,
  pcrs: PcrValues,
  state = "Active",
  decision: string | null = "approved",
): Promise<string> {
  const [id, approval] = [randomUUID(), randomUUID()];
  const [asker, decider] = [randomUUID(), randomUUID()];
  for (const person of [asker, decider])
    await fixture.query(
      "INSERT INTO person (id, name, email, role, password_hash) VALUES ($1, 'P', $2, 'provider-admin', 'none')",
      [person, `${person}@example.com`],
    );
  await fixture.query(
    `INSERT INTO approval (id, kind, subject_id, evidence, site_id, asked_by, asked_by_name, reason)
     VALUES ($1, 'bundle', $2, 'e', $3, $4, 'P', 'r')`,
    [approval, id, fixture.siteId, asker],
  );
  if (decision !== null)
    await fixture.query(
      "UPDATE approval SET decision = $2, decided_by = $3, decided_by_name = 'Q', decided_at = now(), decided_reason = 'r', decided_with = 'password' WHERE id = $1",
      [approval, decision, decider],
    );
  await fixture.query(
    `INSERT INTO attestation_bundle (id, site_id, name, manufacturer, model, pcrs, state, words, reason, approval_id)
     SELECT $1, $2, 'B', coalesce(max(manufacturer), ''), coalesce(max(model), ''), $3, $4, 'w', 'r', $5 FROM host WHERE site_id = $2`,
    [id, fixture.siteId, pcrs, state, approval],
  );
  return id;
}
