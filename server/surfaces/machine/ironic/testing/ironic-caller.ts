// Requests to the Ironic API as one person who has signed in.
import { beforeAll } from "vitest";
import type { Role } from "@/server/domain/access/roles";
import {
  addPerson,
  send,
  type Answer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";

export interface IronicCaller {
  /** `minor`: of the version of the API that is asked for. */
  call(method: string, path: string, body?: unknown, minor?: number): Promise<Answer>;
  get(path: string, minor?: number): Promise<Answer>;
  personId(): string;
}

/** Called once at the top of a test file, after its server. */
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

/** What an error says, from the text inside its `error_message`. */
export const faultOf = (answer: Answer): string => JSON.parse(String(answer.body.error_message)).faultstring;
