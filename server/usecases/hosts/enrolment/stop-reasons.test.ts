// Groups hosts that stopped for the same reason, whatever their names and addresses.
import { expect, it } from "vitest";
import { alikeStops } from "@/server/usecases/hosts/enrolment/stop-reasons";
import type { StagedLine } from "@/server/usecases/hosts/enrolment/enrolment-lines";

const line = (number: number, over: Partial<StagedLine> = {}): StagedLine => ({
  line: number,
  name: `gpu-a-000${number}`,
  hostId: `h${number}`,
  faults: [],
  state: "Enroll",
  stage: "stopped",
  lastError: null,
  serialGiven: false,
  pinned: null,
  certificate: null,
  identity: { manufacturer: null, model: null, serial: null, systemUuid: null },
  ...over,
});

it("is one for hosts alike, most hosts first, and none for those that go on", () => {
  const refusal = (host: string) => `the address of bmc-${host}.localhost is refused: 127.0.0.1 is loopback`;
  const alike = alikeStops([
    line(2, { lastError: "GET /redfish/v1 was answered 401" }),
    line(3, { lastError: refusal("cnivc002760000") }),
    line(4, { lastError: refusal("cnivc006340002") }),
    line(5, { stage: "verifying", lastError: refusal("cnivc006340003") }),
    line(6, { state: "BomValidating/WaitingForSkuAssignment" }),
  ]);
  expect(alike.map(({ first, hosts }) => [first.line, hosts])).toEqual([
    [3, 2],
    [2, 1],
    [6, 1],
  ]);
});
