// Sends requests to the Ironic API as one signed-in person.
import { beforeAll } from "vitest";
import type { Role } from "@/server/domain/access/roles";
import { send, type Answer, type MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";
import { addPerson } from "@/server/surfaces/machine/testing/machine-rows";

export interface IronicCaller {
  /** `minor`: of the API version that is requested. */
  call(method: string, path: string, body?: unknown, minor?: number): Promise<Answer>;
  get(path: string, minor?: number): Promise<Answer>;
  personId(): string;
}

/** Call it once at the top of a test file, after its server. */
export function ironicCaller(fixture: MachineFixture, role: Role, usualMinor = 112): IronicCaller {
  let [token, personId] = ["", ""];
  beforeAll(async () => {
    ({ token, personId } = await addPerson(fixture, role, null));
  });
  const call: IronicCaller["call"] = (method, path, body, minor = usualMinor) =>
    send(fixture, method, path, { token, body, headers: { "x-openstack-ironic-api-version": `1.${minor}` } });
  return {
    call,
    get: (path, minor) => call("GET", path, undefined, minor),
    personId: () => personId,
  };
}

/** The message of an error, from the text inside its `error_message`. */
export const faultOf = (answer: Answer): string => JSON.parse(String(answer.body.error_message)).faultstring;
