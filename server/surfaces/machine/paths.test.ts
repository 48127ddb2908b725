// Which half of the shared port answers.
import { expect, it } from "vitest";
import { isMachinePath, isMachineRequest, surfaceOf } from "@/server/surfaces/machine/paths";

it.each([
  "/agent/v1/poll",
  "/boot/ipxe?uuid=1",
  "/network/v1/acknowledgements",
  "/v1",
  "/v1/nodes",
  "/v2/org/x/nico/instance",
  "/metrics",
  "/metrics?x",
  "/livez",
  "/readyz",
  "/nodes/detail?limit=2",
  "/drivers",
  "/volume/targets",
])("%s is a machine's", (url) => expect(isMachinePath(url)).toBe(true));
it.each([
  "/",
  "/hosts",
  "/api/trpc/x",
  "/agents",
  "/bootstrap",
  "/v10/x",
  "/metrics/x",
  "/_next/static/agent/v1/poll",
  "/hosts?next=/agent/v1",
  "/cleaning/runbooks",
  "/nodeset",
])("%s is the console's", (url) => expect(isMachinePath(url)).toBe(false));

it.each([
  ["/agent/v1/poll", false],
  ["/boot", false],
  ["/boot/ipxe?uuid=1", false],
  ["/network/v1/acknowledgements", true],
  ["/v1/nodes", true],
  ["/metrics", true],
])(
  "%s is answered on the port of the console, where hosts have a listener of their own: %s",
  (url, answered) => expect(isMachineRequest(url, "application/json", true)).toBe(answered),
);

it.each([
  ["/agent/v1/poll", "agent"],
  ["/v2/org/:org/nico/instance", "v2"],
  ["/metrics", "metrics"],
  ["none", "other"],
  ["/agents", "other"],
])("%s belongs to %s", (route, surface) => expect(surfaceOf(route)).toBe(surface));

it.each([
  ["/", "application/json", true],
  ["/?x=1", "application/json, */*", true],
  ["/", "text/html,application/json", false],
  ["/", "*/*", false],
  ["/", undefined, false],
  ["/hosts", "application/json", false],
  ["/v1", undefined, true],
] as const)("%s asked for as %s: %s", (url, accept, machine) =>
  expect(isMachineRequest(url, accept)).toBe(machine),
);
