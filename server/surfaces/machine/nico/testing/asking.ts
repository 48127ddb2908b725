// For tests of NICo's API: the callers, common requests, and what a refusal looks like.
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Contract } from "@/server/surfaces/machine/nico/testing/contract";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, addInstance, addPerson } from "@/server/surfaces/machine/testing/machine-rows";
import type { Answer, MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";
import type { TestHost, TestPerson } from "@/server/surfaces/machine/testing/machine-rows";

interface Askers {
  readonly acme: TestPerson;
  readonly globex: TestPerson;
  readonly repair: TestPerson;
  readonly operator: TestPerson;
  readonly auditor: TestPerson;
}

/** Two tenants, a repair tenant, and two people of the provider. */
export const addAskers = async (fixture: MachineFixture): Promise<Askers> => ({
  acme: await addPerson(fixture, "tenant-admin", "acme"),
  globex: await addPerson(fixture, "tenant-admin", "globex"),
  repair: await addPerson(fixture, "repair-tenant-admin", "fixers", true),
  operator: await addPerson(fixture, "operator", null),
  auditor: await addPerson(fixture, "auditor", null),
});

/** For the caller's own organisation, unless another is named. */
export const getOf =
  (fixture: MachineFixture) =>
  (who: TestPerson, path: string, org = who.org): Promise<Answer> =>
    send(fixture, "GET", `/v2/org/${org}/nico/${path}`, { token: who.token });

/** Releases an instance. */
export const removeOf =
  (fixture: MachineFixture) =>
  (who: TestPerson, id: string, body?: unknown, org = who.org): Promise<Answer> =>
    send(fixture, "DELETE", `/v2/org/${org}/nico/instance/${id}`, {
      token: who.token,
      ...(body === undefined ? {} : { body }),
    });

/** A new host that a tenant has as an instance. */
export async function addHeld(
  fixture: MachineFixture,
  who: TestPerson,
  name = `i-${randomUUID().slice(0, 8)}`,
): Promise<{ host: TestHost; id: string }> {
  const host = await addHost(fixture, "Assigned/Ready");
  return { host, id: await addInstance(fixture, host, who.tenantId, name) };
}

/** Expects an error in the contract's format. */
export const expectErrorOf =
  ({ problems }: Contract) =>
  (answer: Answer, status: number, message: string | RegExp): void => {
    expect([answer.status, problems("NICoAPIError", answer.body)]).toEqual([status, []]);
    expect(answer.body.source).toBe("nico");
    if (typeof message === "string") expect(answer.body.message).toBe(message);
    else expect(answer.body.message).toMatch(message);
  };
