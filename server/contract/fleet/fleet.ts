// The whole fleet in numbers.
import { fleetFailures, fleetRacks, fleetSummary } from "@/server/contract/fleet/fleet-answers";
import { read } from "@/server/contract/define";
import { fleetFilter } from "@/server/domain/fleet/fleet-filter";

const input = fleetFilter.prefault({});

export const fleet = {
  summary: read({
    title: "the fleet in numbers: hosts by state, what holds them up, and how long reclamations take",
    right: "fleet.read",
    input,
    output: fleetSummary,
  }),
  failures: read({
    title: "failures over time by cause, and by drive firmware",
    right: "fleet.read",
    input,
    output: fleetFailures,
  }),
  racks: read({
    title: "hosts by rack and state",
    right: "fleet.read",
    input,
    output: fleetRacks,
  }),
};
